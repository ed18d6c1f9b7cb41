import type { QuoteAnswer } from '@sluice/engine'

const [exactPoints, hitPoints, previewPoints] = [15, 1, 5]

/** What quotes cost their caller, by what they made nodes do. */
export function pointsOf(answers: readonly QuoteAnswer[]): number {
  return answers.reduce((sum, { cache, quote }) => {
    if (quote.request.isExact) return sum + exactPoints
    return sum + (cache === 'hit' ? hitPoints : previewPoints)
  }, 0)
}
