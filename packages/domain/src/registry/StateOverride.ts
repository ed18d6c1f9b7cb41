import type { Address, Hex } from 'viem'

/** Third parameter of an `eth_call`: what replaces the code, the storage and the balance of accounts during the call. */
export type StateOverride = {
  readonly [address: Address]: {
    /** Native coin in wei. */
    readonly balance?: Hex
    readonly code?: Hex
    /** Replaces the whole storage of the account. */
    readonly state?: { readonly [slot: Hex]: Hex }
    /** Replaces these slots only. */
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}

/**
 * Merges overrides, slot by slot. Where several set the same, the last one counts. Addresses must have their checksum.
 *
 * @returns `undefined` if there is none.
 */
export function merged(
  ...overrides: readonly (StateOverride | undefined)[]
): StateOverride | undefined {
  const [first, ...others] = overrides.filter((each) => each !== undefined)
  if (first === undefined || others.length === 0) return first
  const accounts = new Map(Object.entries(first))
  for (const [address, account] of others.flatMap((each) => Object.entries(each))) {
    const before = accounts.get(address)
    const stateDiff = { ...before?.stateDiff, ...account.stateDiff }
    const hasDiff = Object.keys(stateDiff).length > 0
    accounts.set(address, { ...before, ...account, ...(hasDiff && { stateDiff }) })
  }
  return Object.fromEntries(accounts)
}
