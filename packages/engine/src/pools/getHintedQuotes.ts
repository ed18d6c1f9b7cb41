import type { QuoteRequest } from '@sluice/domain'
import type { Address } from 'viem'
import type { QuoteAnswer, Settled } from '../getQuotes.js'
import { QuoteError } from '../QuoteError.js'
import type { Hints } from './createHints.js'

type GetQuotes = (
  requests: readonly QuoteRequest.QuoteRequest[],
) => Promise<readonly Settled<QuoteAnswer>[]>

/**
 * Quotes with the connector hints that are known for each trade, and, where no route is found without, with those that
 * are then looked for. A caller who names connectors gets those and no others.
 *
 * @returns In the order of the requests.
 */
export async function getHintedQuotes(
  getQuotes: GetQuotes,
  hints: Hints | undefined,
  requests: readonly QuoteRequest.QuoteRequest[],
): Promise<readonly Settled<QuoteAnswer>[]> {
  if (!hints) return await getQuotes(requests)
  const hinted = requests.map((request) =>
    isSteered(request) ? request : { ...request, connectors: hints.known(request) },
  )
  const answers = await getQuotes(hinted)
  if (!answers.some(hasNoRoute)) return answers
  const found = await Promise.all(
    requests.map(async (request, index): Promise<readonly Address[]> => {
      if (!hasNoRoute(answers[index]!) || isSteered(request)) return []
      const proposed = await hints.propose(request)
      return proposed.join() === hinted[index]!.connectors.join() ? [] : proposed
    }),
  )
  if (found.every((connectors) => connectors.length === 0)) return answers
  // All again, so that the answers stay of one block.
  return await getQuotes(
    hinted.map((request, index) => ({
      ...request,
      connectors: found[index]!.length > 0 ? found[index]! : request.connectors,
    })),
  )
}

function isSteered({ connectors }: QuoteRequest.QuoteRequest): boolean {
  return connectors.length > 0
}

function hasNoRoute(answer: Settled<QuoteAnswer>): boolean {
  return !answer.ok && answer.error instanceof QuoteError && answer.error.code === 'no_route'
}
