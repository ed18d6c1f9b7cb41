import {
  type AnswerOf,
  encodeAskedTokens,
  encodePrices,
  encodeTokenList,
  maxAskedTokens,
  maxPricedTokens,
  missingTokens,
  parseTokens,
} from '@sluice/api'
import type { Registry } from '@sluice/domain'
import type { Engine, TokenList } from '@sluice/engine'
import type { Callers } from '../http/callers.js'
import { clientSignal } from '../http/clientSignal.js'
import { respond } from '../http/respond.js'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import type { Run } from '../middleware/Layer.js'
import { chargeMiss, hitPoints, pointsOfPrice } from './pointsOf.js'
import { refuseQuery } from './refuseQuery.js'

export type TokensRouteOptions = {
  engine: Pick<Engine, 'tokens' | 'prices'>
  registry: Registry.Registry
  callers: Callers
}

const seldom = 'public, max-age=60, stale-while-revalidate=600'
const names = ['chain', 'tokens']

/** GET /api/tokens: the token list of a chain, or the tokens of the query. */
export function getTokens({ engine, registry }: TokensRouteOptions): Run {
  // An unchanged list is the same object, so its document is made once.
  const documents = new WeakMap<TokenList, Document>()
  return async (c) => {
    const query = refuseQuery(c.req.url, names)
    const { chain, tokens: asked } = parseTokens(registry, query, { max: maxAskedTokens })
    const { chainId } = chain
    const tokens = engine.tokens(chainId)
    if (asked === undefined) {
      const list = await tokens.list()
      c.set('points', hitPoints)
      const body = (): AnswerOf<'getTokens'> => encodeTokenList(chainId, list)
      const document = documents.get(list) ?? documentOf(body())
      documents.set(list, document)
      return await respondDocument(c, document, { cacheControl: seldom })
    }
    const addresses = asked.map(({ token }) => token.address)
    if (tokens.isKept(addresses)) c.set('points', hitPoints)
    const facts = await tokens.read(addresses, { signal: clientSignal(c) })
    const rows = addresses.map((address, index) => ({ address, facts: facts[index] }))
    const body: AnswerOf<'getTokens'> = encodeAskedTokens(chainId, rows)
    return await respondDocument(c, documentOf(body), { cacheControl: 'public, max-age=60' })
  }
}

/** GET /api/price: prices of tokens, by quotes. */
export function getPrice({ callers, engine, registry }: TokensRouteOptions): Run {
  return async (c) => {
    const query = refuseQuery(c.req.url, names)
    const { chain, tokens: asked } = parseTokens(registry, query, { max: maxPricedTokens })
    if (asked === undefined) throw missingTokens()
    const { chainId } = chain
    const prices = engine.prices(chainId)
    const missing = new Set(
      asked.flatMap(({ token: { address } }) => (prices.isKept(address) ? [] : [address])),
    )
    await chargeMiss(c, hitPoints + pointsOfPrice({ isRun: true }) * missing.size)
    const caller = callers.of(c.env?.incoming)
    const addresses = asked.map(({ token }) => token.address)
    const priced = await prices.get(addresses, { signal: clientSignal(c), caller })
    const paid = priced.filter(({ address }) => missing.delete(address))
    const points = paid.map(({ facts }) => pointsOfPrice({ isRun: facts?.source === 'chain' }))
    c.set(
      'points',
      points.reduce((sum, each) => sum + each, hitPoints),
    )
    const rows = asked.map((each, index) => ({ ...priced[index]!, ...each }))
    const body: AnswerOf<'getPrice'> = encodePrices(chainId, rows)
    return respond(c, body, { headers: { 'cache-control': 'public, max-age=5' } })
  }
}
