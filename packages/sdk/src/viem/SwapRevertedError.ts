import { BaseError } from '../errors.js'
import type { Revert } from './revertOf.js'

/** The swap would revert; `revert` is why. */
export class SwapRevertedError extends BaseError {
  override readonly name = 'SwapRevertedError'
  readonly revert: Revert

  constructor(revert: Revert, cause: unknown) {
    super(`The swap would revert with ${revert.name}.`, { code: 'reverted', cause })
    this.revert = revert
  }
}
