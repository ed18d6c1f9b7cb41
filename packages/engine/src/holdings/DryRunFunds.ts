import type { Address, Hex } from 'viem'

/** Balances that a call finds instead of the chain's, by token and storage slot: a narrow form of `StateOverride`. */
export type DryRunFunds = Readonly<Record<Address, { stateDiff: Readonly<Record<Hex, Hex>> }>>
