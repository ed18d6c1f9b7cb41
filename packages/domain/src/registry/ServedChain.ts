import type { ChainDeployments, Contracts } from './Deployments.js'
import type { StateOverride } from './StateOverride.js'

/** A chain with what is needed to quote on it in one generation. */
export type ServedChain = ChainDeployments & {
  readonly chainId: number
  /** Generation of `contracts`. */
  readonly version: string
  readonly contracts: Contracts
  /** If nothing is deployed: what a call brings along. Nothing can be executed there. */
  readonly stateOverride?: StateOverride | undefined
}
