import type { QuoteRequest } from '@sluice/domain'
import type { QuoteAnswer } from '@sluice/engine'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'

export const hitPoints = 1
/**
 * Cost of a preview in points. A failed quote costs the same, since nodes may have been asked for it and its symbols.
 */
export const previewPoints = 5
const exactPoints = 15
/** Searches that a plan for an output takes. */
const outputSearches = 3
/** How many times as much a quote on a state of the caller's costs, because nobody can share it. */
const overridesFactor = 2
/** Cost of an explanation: it makes as many calls to nodes as five previews. */
export const explainPoints = 25

/** Returns the cost of quotes in points, by the work that they caused. */
export function pointsOf(answers: readonly QuoteAnswer[]): number {
  return answers.reduce(
    (sum, { cache, calls = 1, quote }) =>
      sum + (cache === 'hit' ? hitPoints : calls * missPointsOf(quote.request)),
    0,
  )
}

/** Returns the cost of a quote that is not cached. A quote confirmed by two hosts costs twice as much. */
export function missPointsOf(request: QuoteRequest.QuoteRequest): number {
  const { amountOut, isExact, overrides, verify = 1 } = request
  const searches = amountOut === undefined ? 1 : outputSearches
  const factor = overrides === undefined ? 1 : overridesFactor
  return (isExact ? exactPoints : previewPoints) * searches * verify * factor
}

/**
 * Charges what a request costs beyond the preview that it paid for when it entered. If this is refused, the request
 * costs as little as a cache hit, because nothing was done yet.
 *
 * @throws ApiError `rate_limited`
 */
export async function chargeMiss(c: Context<AppEnv>, points: number): Promise<void> {
  if (points <= previewPoints) return
  try {
    await c.get('charge')?.(points - previewPoints)
  } catch (error) {
    c.set('points', hitPoints)
    throw error
  }
}

/** Returns the cost of a price that is not cached: a purchase and a sale, which is a dry run for unlisted tokens. */
export function pointsOfPrice({ isRun }: { isRun: boolean }): number {
  return previewPoints + (isRun ? exactPoints : previewPoints)
}
