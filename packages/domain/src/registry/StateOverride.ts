import type { Address, Hex } from 'viem'

/** Third parameter of an `eth_call`: code and storage that replace those of accounts during the call. */
export type StateOverride = {
  readonly [address: Address]: {
    readonly code?: Hex
    /** Replaces the whole storage of the account. */
    readonly state?: { readonly [slot: Hex]: Hex }
    /** Replaces these slots only. */
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}
