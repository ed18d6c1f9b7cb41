import type { Address } from 'viem'

/** What prevents the sender from swapping. Amounts are in base units. */
export type Issues = {
  readonly allowance?:
    | { readonly spender: Address; readonly actual: bigint; readonly expected: bigint }
    | undefined
  readonly balance?:
    | { readonly token: Address; readonly actual: bigint; readonly expected: bigint }
    | undefined
  /** How the swap would revert even with enough allowance and balance. */
  readonly simulation?: { readonly code: string; readonly error: string } | undefined
}
