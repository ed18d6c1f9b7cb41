import { readPlainQuery } from '@sluice/api'
import { Amounts, PreparationForm, type QuoteRequest } from '@sluice/domain'
import { macOf, sha256 } from '../sha256.js'
import { hinted, type PrepareOptions } from './prepare.js'

/** Prepared calls as JSON. */
export type PrepareTexts = {
  /** What a plain query gets; `undefined` for any other query, and for a wrong one. */
  readonly find: (query: string) => PrepareText | undefined
  readonly of: (request: QuoteRequest.QuoteRequest) => string
}

export type PrepareText = {
  readonly text: string
  /** Of the text in UTF-8. */
  readonly bytes: number
}

type Kept = {
  readonly request: QuoteRequest.QuoteRequest
  form: PreparationForm.PreparationForm
  /** Connectors that the form's call names. */
  connectors: string
  /** UTF-8 bytes beyond one per character. */
  readonly extraBytes: number
  /** What was filled in last, for whoever asks the very same again. */
  last?: { readonly amount: string; readonly preparedAt: number; readonly text: string }
}

const maxKept = 1_000
/** Longer ones hold whole contracts: the work is to send them, not to write them. */
const maxLength = 16_384

/**
 * Writes prepared calls, and keeps the form of each for the same trade in other amounts: whoever asks for a trade asks
 * again. No more than 1,000 forms are kept, with the last answer of each.
 */
export function createPrepareTexts(options: PrepareOptions): PrepareTexts {
  const { digestKey, now, publicRpcUrls, registry } = options
  const macOfDigest =
    digestKey === undefined ? undefined : (digest: string) => macOf(digest, digestKey)
  const all = new Map<string, Kept>()

  const formOf = (request: QuoteRequest.QuoteRequest) =>
    PreparationForm.of(request, { rpcUrl: publicRpcUrls.get(request.chain.chainId)?.[0] })
  const fill = (form: PreparationForm.PreparationForm, amountIn: bigint, preparedAt: number) =>
    PreparationForm.fill(form, { amountIn, preparedAt, hash: sha256, macOf: macOfDigest })

  const again = (kept: Kept, amount: string): PrepareText | undefined => {
    const preparedAt = secondOf(now())
    if (kept.last?.amount !== amount || kept.last.preparedAt !== preparedAt) {
      const amountIn = Amounts.pattern.test(amount) ? BigInt(amount) : 0n
      if (amountIn === 0n) return undefined
      // Hints depend on the size, and get better.
      const request = hinted(options, { ...kept.request, amountIn })
      const connectors = request.connectors.join()
      if (connectors !== kept.connectors) kept.form = formOf(request)
      if (connectors !== kept.connectors || kept.last === undefined) kept.form = whole(kept.form)
      kept.connectors = connectors
      kept.last = { amount, preparedAt, text: fill(kept.form, amountIn, preparedAt) }
    }
    const { text } = kept.last
    return { text, bytes: text.length + kept.extraBytes }
  }

  return {
    of: (request) => fill(formOf(hinted(options, request)), request.amountIn, secondOf(now())),
    find(query) {
      const { amount, key } = withoutAmount(query)
      const kept = all.get(key)
      if (kept !== undefined) return again(kept, amount)
      const given = readPlainQuery(registry, query)
      if (given === undefined) return undefined
      const request = hinted(options, given)
      const form = formOf(request)
      const text = fill(form, request.amountIn, secondOf(now()))
      const bytes = Buffer.byteLength(text)
      if (text.length <= maxLength) {
        const connectors = request.connectors.join()
        all.set(key, { request: given, form, connectors, extraBytes: bytes - text.length })
        if (all.size > maxKept) all.delete(all.keys().next().value!)
      }
      return { text, bytes }
    },
  }
}

/** In whole seconds, so that equal questions of one second have equal answers. Unix milliseconds. */
export function secondOf(now: number): number {
  return Math.floor(now / 1_000) * 1_000
}

/** Texts put together from parts stay in parts, which are gone through at every use; these are not. */
function whole(form: PreparationForm.PreparationForm): PreparationForm.PreparationForm {
  return JSON.parse(JSON.stringify(form))
}

const name = 'amountIn='

/** The first amount of a query, and the query without it, in which its place is still seen. */
function withoutAmount(query: string): { amount: string; key: string } {
  const place = query.startsWith(name) ? 0 : query.indexOf(`&${name}`) + 1
  const start = place + name.length
  const next = query.indexOf('&', start)
  const end = next === -1 ? query.length : next
  return { amount: query.slice(start, end), key: query.slice(0, start) + query.slice(end) }
}
