import { type TokenFacts, type Tokens, UsdPrice } from '@sluice/domain'
import { maxListedTokens, type PriceResponse, type TokensResponse } from './tokens.js'

type Row = TokensResponse['tokens'][number]
type PriceRow = PriceResponse['prices'][number]

/** Encodes the token list of a chain. */
export function encodeTokenList(
  chainId: number,
  { isWhole, tokens }: { isWhole: boolean; tokens: readonly TokenFacts.TokenFacts[] },
): TokensResponse {
  return {
    ok: true,
    chainId,
    tokens: tokens.slice(0, maxListedTokens).map(rowOf),
    leftOut: Math.max(0, tokens.length - maxListedTokens),
    complete: isWhole,
  }
}

/** Encodes tokens that were asked for; those without facts are no tokens. */
export function encodeAskedTokens(
  chainId: number,
  asked: readonly { address: string; facts: TokenFacts.TokenFacts | undefined }[],
): TokensResponse {
  const none = { symbol: null, name: null, decimals: null, source: null, logo: null }
  const tokens = asked.map(({ address, facts }) => (facts ? rowOf(facts) : { address, ...none }))
  return { ok: true, chainId, tokens, leftOut: 0, complete: true }
}

function rowOf({ address, decimals, logo, name, source, symbol }: TokenFacts.TokenFacts): Row {
  return { address, symbol, name, decimals, source, logo: logo ?? null }
}

/** A token that was asked for, with its price. */
export type PricedToken = {
  readonly text: string
  readonly token: Tokens.Token
  readonly facts: TokenFacts.TokenFacts | undefined
  readonly verdict: UsdPrice.Verdict
  readonly block:
    | { readonly number: bigint; readonly hash?: string | undefined; readonly timestamp: bigint }
    | undefined
}

/** Encodes prices, each for a whole token. */
export function encodePrices(chainId: number, priced: readonly PricedToken[]): PriceResponse {
  return {
    ok: true,
    chainId,
    currency: 'USD',
    probeUsd: UsdPrice.probeUsd,
    prices: priced.map(encodePrice),
  }
}

function encodePrice({ block, facts, text, token, verdict }: PricedToken): PriceRow {
  const { decimals = null, source = null, symbol = null } = facts ?? {}
  return {
    token: text,
    address: token.address,
    symbol: token.isNative ? 'ETH' : symbol,
    decimals,
    source,
    ...numbersOf(verdict, decimals),
    block: block
      ? {
          number: Number(block.number),
          hash: block.hash ?? null,
          timestamp: Number(block.timestamp),
        }
      : null,
  }
}

function numbersOf(
  verdict: UsdPrice.Verdict,
  decimals: number | null,
): Pick<PriceRow, 'usd' | 'buyUsd' | 'sellUsd' | 'reason'> {
  if (!verdict.ok || decimals === null) {
    const reason = verdict.ok ? 'not_a_token' : verdict.cause
    return { usd: null, buyUsd: null, sellUsd: null, reason }
  }
  const whole = 10n ** BigInt(decimals)
  return {
    usd: UsdPrice.value(verdict.price, whole),
    buyUsd: UsdPrice.cost(verdict.price, whole),
    sellUsd: UsdPrice.proceeds(verdict.price, whole),
    reason: null,
  }
}
