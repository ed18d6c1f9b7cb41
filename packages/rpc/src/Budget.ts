/** Limits the cost of one piece of work: the number of requests to nodes, and the waiting for slow nodes. */
export type Budget = {
  /** Uses up one request; false if none is left. */
  readonly take: () => boolean
  readonly isSpent: () => boolean
  /** Labels of nodes that were slower than another node in this work. They are asked last, so that it waits for each once. */
  readonly slow: Set<string>
  /**
   * Returns the part of the budget for one kind of work, so that the rest is left for other work. The same name always
   * returns the same part.
   *
   * @param max Maximum number of requests. Only the first call with a name sets it.
   */
  readonly part: (name: string, max: number) => Budget
}

/**
 * Creates a budget of HTTP requests. A request that is sent again on another connection counts again. Calls that go one by
 * one to a node without batches count as one request.
 *
 * @param options.requests Maximum number of requests.
 * @param options.of Another budget that each request also uses up.
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
