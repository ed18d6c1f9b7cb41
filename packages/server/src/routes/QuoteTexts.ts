import { encodeQuote } from '@sluice/api'
import type { Engine, QuoteAnswer } from '@sluice/engine'
import { metaOf } from './answerQuote.js'

/** An answer that can be given again while its block is the latest. */
export type KnownQuote = {
  /** The same answer as a hit. */
  readonly hit: QuoteAnswer
  /** JSON up to what differs from one hit to the next, and what follows that. */
  readonly start: string
  readonly end: string
  /** Of both in UTF-8. */
  readonly bytes: number
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
      const found = texts.get(query)
      if (found === undefined) return undefined
      const { block, quote } = found.hit
      return engine.latestHash(quote.request.chain.chainId) === block.hash ? found : undefined
    },
    put(query, answer) {
      const { block, quote } = answer
      const { isExact, recipient, verify } = quote.request
      const isKept = !isExact && recipient === undefined && verify === undefined
      if (!isKept || block.hash === undefined) return
      texts.delete(query)
      texts.set(query, known(answer))
      if (texts.size > maxTexts) texts.delete(texts.keys().next().value!)
    },
  }
}

function known(answer: QuoteAnswer): KnownQuote {
  const hit = { ...answer, cache: 'hit' as const, rpcTried: 0 }
  const { latencyMs: _, quotedAt: __, ...same } = metaOf(hit, { now: 0, startedAt: 0 })!
  const quote = JSON.stringify(encodeQuote(answer.quote, undefined))
  const start = `${quote.slice(0, -1)},"meta":{"quotedAt":`
  const end = `,"latencyMs":0,${JSON.stringify(same).slice(1)}}`
  return { hit, start, end, bytes: Buffer.byteLength(start) + Buffer.byteLength(end) }
}

/** A known quote as the answer of now; unix milliseconds. */
export function textOf({ bytes, end, start }: KnownQuote, now: number) {
  const quotedAt = `${now}`
  return { text: `${start}${quotedAt}${end}`, bytes: bytes + quotedAt.length }
}
