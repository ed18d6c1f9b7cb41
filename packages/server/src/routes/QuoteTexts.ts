import { encodeQuote, type QuoteResponse } from '@sluice/api'
import type { Engine, QuoteAnswer } from '@sluice/engine'

/** An answer that can be given again while its block is the latest. */
export type KnownQuote = {
  readonly answer: QuoteAnswer
  /** JSON up to the member `meta`. */
  readonly start: string
}

/** Answers by the query that asked for them, so that asking again costs neither parsing nor encoding. */
export type QuoteTexts = {
  readonly find: (query: string) => KnownQuote | undefined
  readonly put: (query: string, answer: QuoteAnswer) => void
}

const maxTexts = 2_000

export function createQuoteTexts(engine: Engine): QuoteTexts {
  const texts = new Map<string, KnownQuote>()
  return {
    find(query) {
      const known = texts.get(query)
      if (known === undefined) return undefined
      const { block, quote } = known.answer
      return engine.latestHash(quote.request.chain.chainId) === block.hash ? known : undefined
    },
    put(query, answer) {
      const { block, quote } = answer
      const { isExact, recipient, verify } = quote.request
      const isKept = !isExact && recipient === undefined && verify === undefined
      if (!isKept || block.hash === undefined) return
      texts.delete(query)
      texts.set(query, {
        answer,
        start: JSON.stringify(encodeQuote(quote, undefined)).slice(0, -1),
      })
      if (texts.size > maxTexts) texts.delete(texts.keys().next().value!)
    },
  }
}

/** The text of a known quote as the answer of now. */
export function withMeta({ start }: KnownQuote, meta: QuoteResponse['meta']): string {
  return `${start},"meta":${JSON.stringify(meta)}}`
}
