import type { Address, Hex } from 'viem'

/** State override that sets balances, by token and storage slot: a narrow form of `StateOverride`. */
export type DryRunFunds = Readonly<Record<Address, { stateDiff: Readonly<Record<Hex, Hex>> }>>
