import { Lru } from '@sluice/domain'
import type { Engine, QuoteAnswer } from '@sluice/engine'

/** Cache of finished answers by query, so that repeated queries need no parsing and no computing. */
export type RecentAnswers = {
  /** Returns the answer as a cache hit; `undefined` if it is not on the latest block. */
  readonly find: (query: string) => QuoteAnswer | undefined
  readonly put: (query: string, answer: QuoteAnswer) => void
}

const maxAnswers = 2_000

/** Keeps up to 2,000 answers in memory. */
export function createRecentAnswers(engine: Pick<Engine, 'latestHash'>): RecentAnswers {
  const answers = Lru.create<string, QuoteAnswer>(maxAnswers)
  return {
    find(query) {
      const found = answers.get(query)
      if (found === undefined) return undefined
      const { chainId } = found.quote.request.chain
      return engine.latestHash(chainId) === found.block.hash ? found : undefined
    },
    put(query, answer) {
      const { isExact, overrides, recipient, verify } = answer.quote.request
      const isKept = !isExact && [overrides, recipient, verify].every((each) => each === undefined)
      if (!isKept || answer.block.hash === undefined) return
      answers.put(query, { ...answer, cache: 'hit', rpcTried: 0 })
    },
  }
}
