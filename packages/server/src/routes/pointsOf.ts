import type { QuoteRequest } from '@sluice/domain'
import type { QuoteAnswer } from '@sluice/engine'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'

export const hitPoints = 1
/** Also of a quote that failed, which nodes may have been asked for all the same, and of its symbols. */
export const previewPoints = 5
const exactPoints = 15

/** What quotes cost their caller, by what they made nodes do. */
export function pointsOf(answers: readonly QuoteAnswer[]): number {
  return answers.reduce(
    (sum, { cache, calls = 1, quote }) =>
      sum + (cache === 'hit' ? hitPoints : calls * missPointsOf(quote.request)),
    0,
  )
}

/** What a quote costs that is not known yet. One that two hosts must give costs twice. */
export function missPointsOf({ isExact, verify }: QuoteRequest.QuoteRequest): number {
  return (isExact ? exactPoints : previewPoints) * (verify ?? 1)
}

/**
 * Takes what a request costs beyond the preview that it paid for when it entered. What is refused here costs as little as
 * a hit: nothing was done yet.
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
