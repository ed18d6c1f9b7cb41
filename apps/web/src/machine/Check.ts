/** What the reader's own node says of a quote. */
export type Check =
  /** There is no node to ask. */
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'same'; readonly block: number }
  /** The node computes something else on the same block: nothing is signed. */
  | {
      readonly kind: 'differs'
      readonly block: number
      readonly own: bigint
      readonly served: bigint
    }
  /** The answer is not what its own numbers say: nothing is signed. */
  | { readonly kind: 'forged'; readonly reason: string }
  /** The node gave no answer, which says nothing of the quote. */
  | { readonly kind: 'unanswered'; readonly reason: string }

export const unchecked: Check = { kind: 'none' }

/** Whether nothing may be signed. */
export function forbids({ kind }: Check): boolean {
  return kind === 'differs' || kind === 'forged'
}
