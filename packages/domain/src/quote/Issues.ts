import type { Address } from 'viem'

/** What the sender lacks. */
export type Issues = {
  readonly allowance?:
    | { readonly spender: Address; readonly actual: bigint; readonly expected: bigint }
    | undefined
  readonly balance?:
    | { readonly token: Address; readonly actual: bigint; readonly expected: bigint }
    | undefined
  /** How the swap would revert if the others were mended. */
  readonly simulation?: { readonly code: string; readonly error: string } | undefined
}
