import type { QuoteRequest } from '@sluice/domain'
import type { QuoteAnswer } from '@sluice/engine'

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
