import type { Engine, QuoteAnswer } from '@sluice/engine'

/** Finished answers by the query that asked for them, so that who asks again need not be read and judged again. */
export type RecentAnswers = {
  /** The answer as a hit; `undefined` if it is not of the latest block. */
  readonly find: (query: string) => QuoteAnswer | undefined
  readonly put: (query: string, answer: QuoteAnswer) => void
}

const maxAnswers = 2_000

/** Keeps up to 2,000 answers, the latest ones, in memory. */
export function createRecentAnswers(engine: Pick<Engine, 'latestHash'>): RecentAnswers {
  const answers = new Map<string, QuoteAnswer>()
  return {
    find(query) {
      const found = answers.get(query)
      if (found === undefined) return undefined
      const { chainId } = found.quote.request.chain
      return engine.latestHash(chainId) === found.block.hash ? found : undefined
    },
    put(query, answer) {
      const { isExact, recipient, verify } = answer.quote.request
      const isKept = !isExact && recipient === undefined && verify === undefined
      if (!isKept || answer.block.hash === undefined) return
      answers.delete(query)
      answers.set(query, { ...answer, cache: 'hit', rpcTried: 0 })
      if (answers.size > maxAnswers) answers.delete(answers.keys().next().value!)
    },
  }
}
