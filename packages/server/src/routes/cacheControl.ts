import type { QuoteAnswer } from '@sluice/engine'

/**
 * Returns how long shared caches may keep a quote: until the next block is due, in whole seconds, so not at all on fast
 * chains. Quotes for signing or execution, explained ones, and those on a state of the caller's must not be cached.
 *
 * @param now Unix milliseconds.
 */
export function cacheControl({ block, quote }: QuoteAnswer, now: number): string {
  const { chain, isExact, isExplained, overrides, recipient, verify } = quote.request
  const isShareable = [overrides, recipient, verify].every((each) => each === undefined)
  if (isExact || isExplained || !isShareable) return 'no-store'
  const nextBlockAt = Number(block.timestamp) * 1_000 + chain.blockTimeMs
  const seconds = Math.floor((nextBlockAt - now) / 1_000)
  const isDue = seconds < 1 || seconds * 1_000 > chain.blockTimeMs
  return isDue ? 'public, max-age=0' : `public, max-age=0, s-maxage=${seconds}`
}
