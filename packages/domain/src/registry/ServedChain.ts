import type { ChainDeployments, Contracts } from './Deployments.js'
import type { StateOverride } from './StateOverride.js'

/** A chain and the contracts that quote on it in one generation. */
export type ServedChain = ChainDeployments & {
  readonly chainId: number
  /** Generation of `contracts`. */
  readonly version: string
  readonly contracts: Contracts
  /** State override that a call needs if nothing is deployed. Swaps cannot be executed then. */
  readonly stateOverride?: StateOverride | undefined
}
