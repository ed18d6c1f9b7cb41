/**
 * Requests that a chain's nodes get for one request of a caller, whatever happens: looks at heads, at the price of gas and
 * at where tokens keep balances, hedges, what is sent again on another connection, copies to demoted nodes.
 */
export const maxRequests = {
  quote: 12,
  /** If the swap is run too, or two hosts must agree; and of an x-ray. */
  run: 18,
  /** For what a symbol means. */
  search: 36,
} as const
