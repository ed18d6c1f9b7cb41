/** Something in a chain config that the chain contradicts. */
export type Fault = {
  /** What is wrong: stable, for programs. */
  readonly code: FaultCode
  /** Member of the config, such as `venues[2].tiers[0]`. */
  readonly at: string
  /** What the chain says, and what to do. */
  readonly message: string
}

export type FaultCode =
  | 'NO_CODE'
  | 'NOT_A_TOKEN'
  | 'WRONG_FACTORY'
  | 'WRONG_POOL_ADDRESS'
  | 'WRONG_TIER'
  | 'WRONG_CALLBACK'
  | 'WRONG_LOCK'
  | 'WRONG_VAULT'
  | 'WRONG_TOKENS'

/** A part of a config that the chain does not answer for. */
export type Unchecked = { readonly at: string; readonly why: string }

/** What a comparison of a config with its chain found. */
export type ConfigFindings = {
  readonly faults: readonly Fault[]
  readonly unchecked: readonly Unchecked[]
  /** Number of facts that the chain confirmed. */
  readonly confirmed: number
}
