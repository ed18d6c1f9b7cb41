/** What one piece of work may cost: requests to nodes, counted where they leave, and waiting for those that are slow. */
export type Budget = {
  /** Takes one request out of it; false where none is left. */
  readonly take: () => boolean
  readonly isSpent: () => boolean
  /** Labels of nodes that another one overtook in this work: it asks them last, so that it waits for each of them once. */
  readonly slow: Set<string>
  /**
   * What one sort of work may have of it, so that the others are left the rest. The same part for all who name it.
   *
   * @param most Requests; of whoever names it first.
   */
  readonly part: (name: string, most: number) => Budget
}

/**
 * Requests that a chain's nodes get for one request of a caller, whatever happens: looks at heads, at the price of gas and
 * at where tokens keep balances, hedges, what is sent again on another connection, copies to demoted nodes.
 */
export const mostRequests = {
  quote: 12,
  /** Where the swap is run too, or two hosts must agree; and of an x-ray. */
  run: 18,
  /** For what a symbol means. */
  search: 36,
} as const

/**
 * @param options.requests HTTP requests, those that are sent again on another connection among them. A node that takes no
 * batches gets the calls of one request one by one, which counts as one.
 * @param options.of Each request is taken out of it as well.
 */
export function createBudget(options: {
  requests: number
  of?: Pick<Budget, 'take' | 'isSpent' | 'slow'> | undefined
}): Budget {
  const parts = new Map<string, Budget>()
  const slow = options.of?.slow ?? new Set<string>()
  let left = options.requests
  const isSpent = () => left === 0 || options.of?.isSpent() === true
  const take = () => {
    if (left === 0 || options.of?.take() === false) return false
    left--
    return true
  }
  return {
    take,
    isSpent,
    slow,
    part(name, most) {
      const part = parts.get(name) ?? createBudget({ requests: most, of: { take, isSpent, slow } })
      parts.set(name, part)
      return part
    },
  }
}
