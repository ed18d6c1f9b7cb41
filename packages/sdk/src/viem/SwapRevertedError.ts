import { BaseError } from '../errors.js'
import type { Revert } from './revertOf.js'

/** The swap would revert. `revert` is the error, and `revert.cause` the token's own error inside it. */
export class SwapRevertedError extends BaseError {
  override readonly name = 'SwapRevertedError'
  readonly revert: Revert

  constructor(revert: Revert, cause: unknown) {
    super(`The swap would revert with ${nameOf(revert)}.`, {
      code: 'reverted',
      cause,
      metaMessages: [revert.cause ?? revert, revert]
        .flatMap(({ advice }) => advice ?? [])
        .slice(0, 1),
    })
    this.revert = revert
  }
}

/** Names only, because revert texts of other contracts are untrusted. */
function nameOf({ cause, name }: Revert): string {
  return cause === undefined ? name : `${name}, because of ${nameOf(cause)}`
}
