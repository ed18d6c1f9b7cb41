import type { QuoteAnswer } from '@sluice/engine'

export const hitPoints = 1
const [exactPoints, previewPoints] = [15, 5]

/** What quotes cost their caller, by what they made nodes do. */
export function pointsOf(answers: readonly QuoteAnswer[]): number {
  return answers.reduce((sum, { cache, quote }) => {
    if (quote.request.isExact) return sum + exactPoints
    return sum + (cache === 'hit' ? hitPoints : previewPoints)
  }, 0)
}
