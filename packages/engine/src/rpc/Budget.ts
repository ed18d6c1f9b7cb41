/** What one piece of work may cost: requests to nodes, counted where they leave. */
export type Budget = {
  /** Takes one request out of it; false where none is left. */
  readonly take: () => boolean
}

/**
 * @param options.requests HTTP requests, those that are sent again on another connection among them. A node that takes no
 * batches gets the calls of one request one by one, which counts as one.
 */
export function createBudget(options: { requests: number }): Budget {
  let left = options.requests
  return {
    take() {
      if (left === 0) return false
      left--
      return true
    },
  }
}
