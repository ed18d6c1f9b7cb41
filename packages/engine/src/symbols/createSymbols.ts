import { KnownTokens, Tokens } from '@sluice/domain'
import type { Address } from 'viem'
import type { ChainState } from '../ChainState.js'
import { createFlights, type Flights } from '../Flights.js'
import type { LensOptions } from '../lens/askLens.js'
import type { Market } from '../market/createMarket.js'
import { MarketDataError } from '../market/MarketSource.js'
import { type Candidate, isTradable, measureDepth } from './measureDepth.js'
import type { ListedToken } from './parseTokenList.js'
import { type Prices, priceKnownTokens, type QuoteMany } from './priceKnownTokens.js'
import { valueBacking } from './valueBacking.js'

/** What a symbol is looked up for: to trade it, or to report on it, which needs no depth. */
export type Purpose = 'trade' | 'report'

/** Finds the tokens that symbols mean on one chain. */
export type Symbols = {
  /**
   * @throws MarketDataError, QuoteError where it could not be found out.
   */
  readonly lookUp: (
    symbol: string,
    options: { purpose: Purpose; signal?: AbortSignal | undefined },
  ) => Promise<Tokens.Resolved>
}

export type SymbolsOptions = {
  /** Absent: only the lists are asked. */
  market: Market | undefined
  lists: readonly ListedToken[]
  quoteMany: QuoteMany
  /** Unix milliseconds. */
  now: () => number
}

/** Least depth of a token that is traded by its symbol. */
export const leastDepthUsd = 10_000
/** The deepest token must be so many times as deep as the next one with its symbol. */
const leastLead = 3
/** Candidates that are tried, the deepest first. */
const maxTried = 5

const [keptMs, shortlyMs, pricesMs] = [300_000, 30_000, 60_000]
const maxKept = 2_000

/**
 * The order of trust: the chain's own list, the operator's lists, then whatever market data finds, of which the deepest
 * real liquidity wins. Real is what pools hold on chain of tokens that have a price there, and what can be traded on.
 */
export function createSymbols(state: ChainState, options: SymbolsOptions): Symbols {
  const { lists, market, now, quoteMany } = options
  const { chain } = state
  const flights: Flights<Tokens.Resolved> = createFlights()
  const kept = new Map<string, { answer: Tokens.Resolved; until: number }>()
  let prices: { promise: Promise<Prices>; until: number } | undefined

  /** Shared by all who ask, so it ends with none of them. */
  function currentPrices(): Promise<Prices> {
    if (prices === undefined || prices.until <= now()) {
      const promise = priceKnownTokens(chain, quoteMany)
      const fresh = { promise, until: now() + pricesMs }
      prices = fresh
      promise.catch(() => {
        if (prices === fresh) prices = undefined
      })
    }
    return prices.promise
  }

  /** What the chain says of tokens that may be meant; without `tokens`, of all that market data finds. */
  async function measure(
    source: Market,
    symbol: string,
    tokens: readonly Address[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly Candidate[]> {
    const { pairs: rows } = await source.search(chain.chainId, symbol, { signal })
    const meant = rows
      .flatMap(({ base, quote }) => [base, quote])
      .filter((token) => token.symbol?.toUpperCase() === symbol.toUpperCase())
      .map(({ address }) => address)
    const asked = tokens ?? [...new Set(meant)]
    if (asked.length === 0) return []
    const parameters = { tokens: asked, rows, prices: await currentPrices() }
    return await measureDepth(state, parameters, { now, signal } satisfies LensOptions)
  }

  /** A token whose meaning is settled: what is not known of it stays open. */
  async function describe(
    token: Pick<ListedToken, 'address' | 'name' | 'symbol'>,
    signal: AbortSignal | undefined,
  ): Promise<Tokens.Resolved> {
    const { address, name, symbol } = token
    const measured = market && measure(market, symbol, [address], signal)
    const [candidate] = (await measured?.catch(unlessAborted(signal))) ?? []
    return found({ address, symbol, name, depthUsd: candidate?.depthUsd })
  }

  async function find(
    symbol: string,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<Tokens.Resolved> {
    const known = KnownTokens.find(chain, symbol)
    if (known !== undefined) return await describe(known, signal)
    const lookalike = Tokens.lookalike(chain, symbol)
    if (lookalike !== undefined) return lookalike
    const listed = listedAs(lists, chain.chainId, symbol)
    if (listed.length === 1) return await describe(listed[0]!, signal)
    if (market === undefined) return Tokens.unresolved('is on no list of symbols here')
    const tokens = listed.length === 0 ? undefined : listed.map(({ address }) => address)
    const measured = await measure(market, symbol, tokens, signal)
    const own = measured.filter((each) => each.symbol?.toUpperCase() === symbol.toUpperCase())
    const valued = await valueBackings(own, signal)
    const deepest = valued.sort((a, b) => b.depthUsd - a.depthUsd).slice(0, maxTried)
    return choose(await onlyTradable(deepest, signal), purpose)
  }

  /** Costs quotes, so only where nothing else is there. */
  async function valueBackings(
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ): Promise<Candidate[]> {
    const isDeep = candidates.some(({ depthUsd }) => depthUsd >= leastDepthUsd)
    const valued = isDeep ? [] : candidates.slice(0, maxTried)
    return await Promise.all(
      candidates.map((each) =>
        valued.includes(each) ? valueBacking(chain, each, quoteMany, { signal }) : each,
      ),
    )
  }

  async function onlyTradable(
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const tried = candidates.filter(({ depthUsd }) => depthUsd > 0)
    const verdicts = await Promise.all(
      tried.map((each) => isTradable(chain, each, quoteMany, { signal })),
    )
    return tried.filter((_, index) => verdicts[index])
  }

  async function lookUp(
    symbol: string,
    { purpose, signal }: { purpose: Purpose; signal?: AbortSignal | undefined },
  ): Promise<Tokens.Resolved> {
    const key = `${purpose} ${symbol.toUpperCase()}`
    const before = kept.get(key)
    if (before !== undefined && before.until > now()) return before.answer
    const { result } = await flights.join(key, {
      signal,
      start: (flightSignal) => find(symbol, purpose, flightSignal),
    })
    kept.delete(key)
    const isWhole = result.ok && result.token.resolved?.liquidityUsd !== null
    kept.set(key, { answer: result, until: now() + (isWhole ? keptMs : shortlyMs) })
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
    return result
  }

  return { lookUp }
}

/** The winner, if it is one beyond doubt. */
function choose([first, second]: readonly Candidate[], purpose: Purpose): Tokens.Resolved {
  if (first === undefined)
    return Tokens.unresolved('is the symbol of no token with liquidity that can be traded on')
  if (purpose === 'trade' && first.depthUsd < leastDepthUsd)
    return Tokens.unresolved(
      `is the symbol of no token with real liquidity of ${leastDepthUsd} USD or more`,
    )
  if (second !== undefined && second.depthUsd * leastLead > first.depthUsd)
    return Tokens.unresolved('is the symbol of several tokens of similar liquidity')
  return found({ ...first, symbol: first.symbol! })
}

function found(token: {
  address: Address
  symbol: string
  name: string | undefined
  depthUsd: number | undefined
}): Tokens.Resolved {
  const { address, depthUsd, name = null, symbol } = token
  const liquidityUsd = depthUsd === undefined ? null : Math.round(100 * depthUsd) / 100
  return {
    ok: true,
    token: { address, isNative: false, resolved: { symbol, name, liquidityUsd } },
  }
}

/** Each address once. */
function listedAs(lists: readonly ListedToken[], chainId: number, symbol: string): ListedToken[] {
  const same = lists.filter(
    (token) => token.chainId === chainId && token.symbol.toUpperCase() === symbol.toUpperCase(),
  )
  return [...new Map(same.map((token) => [token.address, token])).values()]
}

/** Depth is told where it can be measured; a settled token does not need it. */
function unlessAborted(signal: AbortSignal | undefined) {
  return (error: unknown) => {
    signal?.throwIfAborted()
    if (error instanceof MarketDataError || (error as Error).name === 'QuoteError') return undefined
    throw error
  }
}
