/** What one piece of work may cost: requests to nodes, counted where they leave, and waiting for those that are slow. */
export type Budget = {
  /** Takes one request out of it; false if none is left. */
  readonly take: () => boolean
  readonly isSpent: () => boolean
  /** Labels of nodes that another one overtook in this work; asked last, so that it waits for each of them once. */
  readonly slow: Set<string>
  /**
   * The share that one sort of work may use up, so that the rest is left to others. The same for all who name it.
   *
   * @param max Requests; the first who names it decides.
   */
  readonly part: (name: string, max: number) => Budget
}

/**
 * Creates a budget of HTTP requests. A request that is sent again on another connection counts again; calls that a node
 * without batches gets one by one count as the one request that they stand for.
 *
 * @param options.requests How many may be sent.
 * @param options.of A budget from which each request is taken as well.
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
    part(name, max) {
      const part = parts.get(name) ?? createBudget({ requests: max, of: { take, isSpent, slow } })
      parts.set(name, part)
      return part
    },
  }
}
