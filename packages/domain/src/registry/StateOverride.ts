import type { Address, Hex } from 'viem'

/** Third parameter of an `eth_call`: accounts that are another for this call alone. */
export type StateOverride = {
  readonly [address: Address]: {
    readonly code?: Hex
    /** All storage that the account then has. */
    readonly state?: { readonly [slot: Hex]: Hex }
    /** Slots that are changed; the others stay. */
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}
