import type { Registry } from '@sluice/domain'
import type { Candidate } from './measureDepth.js'
import { demandAnswer, type QuoteMany, requestOf } from './priceKnownTokens.js'

/** Maximum number of backing tokens valued for one candidate, in the order of the report. */
const maxValued = 2

/**
 * Adds the value of tokens without a price that back a candidate: the quote of selling all of each at once. So a token
 * created as fake backing adds nothing.
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
