import type { Registry } from '@sluice/domain'
import type { Candidate } from './measureDepth.js'
import { demandAnswer, type QuoteMany, requestOf } from './priceKnownTokens.js'

/** Tokens that are valued for one candidate, those of which it was told first. */
const maxValued = 2

/**
 * A token that is traded against tokens without a price of their own is as deep as what all of those would fetch on
 * chain, sold at once: a token that was made for the purpose fetches nothing.
 */
export async function valueBacking(
  chain: Registry.ServedChain,
  candidate: Candidate,
  quoteMany: QuoteMany,
  options: { signal?: AbortSignal | undefined },
): Promise<Candidate> {
  const backing = [...candidate.unpriced].slice(0, maxValued)
  const requests = backing.map(([tokenIn, amountIn]) =>
    requestOf(chain, { tokenIn, tokenOut: chain.usdc, amountIn }),
  )
  const answers = await quoteMany(requests, options)
  let { depthUsd } = candidate
  const via = backing.flatMap(([token], index) => {
    const answer = answers[index]!
    if (!answer.ok) {
      demandAnswer(answer.error)
      return []
    }
    depthUsd += Number(answer.value.quote.plan.route.grossOut) / 1e6
    return [token]
  })
  return { ...candidate, depthUsd, via }
}
