import { KnownTokens, Tokens } from '@sluice/domain'
import type { Budget } from '@sluice/rpc'
import type { Address } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { LensOptions } from '../lens/askLens.js'
import type { Market } from '../market/createMarket.js'
import { MarketDataError } from '../market/MarketSource.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { chooseToken, foundToken, minDepthUsd, type Purpose } from './chooseToken.js'
import { type Candidate, isTradable, measureDepth } from './measureDepth.js'
import type { ListedToken } from './parseTokenList.js'
import type { Prices, QuoteMany } from './priceKnownTokens.js'
import { valueBacking } from './valueBacking.js'

/** Sources for looking up symbols on one chain. */
export type Sources = {
  readonly state: ChainState
  /** If absent, only the lists are used. */
  readonly market: Market | undefined
  readonly lists: readonly ListedToken[]
  readonly quoteMany: QuoteMany
  readonly prices: () => Promise<Prices>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onFailure?: LensOptions['onFailure']
}

type Asking = { readonly signal: AbortSignal; readonly budget: Budget }

/** Maximum number of candidates tried, deepest first. */
const maxTried = 5

/**
 * Finds the token that a symbol means. Trusts the chain's own list first, then the operator's lists, then market data,
 * where the token with the deepest real liquidity wins. Real liquidity is what pools hold on chain of tokens with a
 * price, and what can be traded.
 *
 * @throws MarketDataError or QuoteError if no source could be asked.
 */
export async function findToken(
  sources: Sources,
  symbol: string,
  options: { purpose: Purpose } & Asking,
): Promise<Tokens.Resolved> {
  const { lists, market, state } = sources
  const { signal } = options
  const { chain } = state
  const known = KnownTokens.find(chain, symbol)
  if (known !== undefined) return await describe(sources, known, options)
  const lookalike = Tokens.lookalike(chain, symbol)
  if (lookalike !== undefined) return lookalike
  const listed = listedAs(lists, chain.chainId, symbol)
  if (listed.length === 1) return await describe(sources, listed[0]!, options)
  const tokens = listed.length === 0 ? undefined : listed.map(({ address }) => address)
  const measured =
    market && (await measure(sources, market, { symbol, tokens }, options).catch(unlessLasting))
  if (measured === undefined) return Tokens.unresolved('is on no token list for this chain')
  const own = measured.filter((each) => isSame(each.symbol, symbol))
  const valued = await valueAll(sources, own, signal)
  const deepest = valued.sort((a, b) => b.depthUsd - a.depthUsd).slice(0, maxTried)
  return chooseToken(await onlyTradable(sources, deepest, signal), options.purpose)
}

/** Returns a token whose meaning is certain. Its depth stays unknown if it cannot be measured. */
async function describe(
  sources: Sources,
  { address, name, symbol }: Pick<ListedToken, 'address' | 'name' | 'symbol'>,
  asking: Asking,
): Promise<Tokens.Resolved> {
  const { market } = sources
  const measured = market && measure(sources, market, { symbol, tokens: [address] }, asking)
  const [candidate] = (await measured?.catch(unlessAborted(asking.signal))) ?? []
  return foundToken({ address, symbol, name, depthUsd: candidate?.depthUsd })
}

/** Measures candidates on chain: `tokens`, or if `undefined`, all that market data finds. */
async function measure(
  { now, onFailure, prices, state }: Sources,
  market: Market,
  { symbol, tokens }: { symbol: string; tokens: readonly Address[] | undefined },
  { budget, signal }: Asking,
): Promise<readonly Candidate[]> {
  const { pairs: rows } = await market.search(state.chain.chainId, symbol, { signal })
  const named = rows
    .flatMap(({ base, quote }) => [base, quote])
    .filter((token) => isSame(token.symbol, symbol))
    .map(({ address }) => address)
  const asked = tokens ?? [...new Set(named)]
  if (asked.length === 0) return []
  const parameters = { tokens: asked, rows, prices: await prices() }
  return await measureDepth(state, parameters, { now, onFailure, signal, budget })
}

/** Values backing tokens without a price. That needs quotes, so it is only done if no candidate is deep without it. */
async function valueAll(
  { quoteMany, state }: Sources,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  const isDeep = candidates.some(({ depthUsd }) => depthUsd >= minDepthUsd)
  const valued = isDeep ? [] : candidates.slice(0, maxTried)
  return await Promise.all(
    candidates.map((each) =>
      valued.includes(each) ? valueBacking(state.chain, each, quoteMany, { signal }) : each,
    ),
  )
}

async function onlyTradable(
  { quoteMany, state }: Sources,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const tried = candidates.filter(({ depthUsd }) => depthUsd > 0)
  const verdicts = await Promise.all(
    tried.map((each) => isTradable(state.chain, each, quoteMany, { signal })),
  )
  return tried.filter((_, index) => verdicts[index])
}

/** Returns listed tokens with this symbol, each address once. */
function listedAs(lists: readonly ListedToken[], chainId: number, symbol: string): ListedToken[] {
  const same = lists.filter((token) => token.chainId === chainId && isSame(token.symbol, symbol))
  return [...new Map(same.map((token) => [token.address, token])).values()]
}

function isSame(given: string | undefined, symbol: string): boolean {
  return given?.toUpperCase() === symbol.toUpperCase()
}

/** If no source covers the chain, only the lists count. */
function unlessLasting(error: unknown): undefined {
  if (!(error instanceof MarketDataError && error.isLasting)) throw error
}

/** Ignores failures unless the caller aborted: the depth is optional here. */
function unlessAborted(signal: AbortSignal) {
  return (error: unknown) => {
    signal.throwIfAborted()
    if (error instanceof MarketDataError || error instanceof QuoteError) return undefined
    throw error
  }
}
