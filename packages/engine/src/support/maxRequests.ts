/**
 * Maximum number of node requests on one chain for one HTTP request. Counts everything: reads of heads, gas prices and
 * balance slots, hedges, retries on new connections, and copies to demoted nodes.
 */
export const maxRequests = {
  quote: 12,
  /** For quotes with a dry run or with two hosts, and for x-rays. */
  run: 18,
  /** For explaining a quote, beside the quote itself: the pools, three hops, why pools pay nothing, what was left out, and retries. */
  explain: 8,
  /** For looking up a symbol. */
  search: 36,
} as const
