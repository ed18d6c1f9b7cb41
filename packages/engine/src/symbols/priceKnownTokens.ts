import { Addresses, KnownTokens, QuoteRequest, type Registry } from '@sluice/domain'
import type { Budget } from '@sluice/rpc'
import type { Address } from 'viem'
import type { QuoteAnswer, Settled } from '../quotes/getQuotes.js'
import { QuoteError } from '../quotes/QuoteError.js'

/** The engine's `quoteMany`. */
export type QuoteMany = (
  requests: readonly QuoteRequest.QuoteRequest[],
  options?: {
    signal?: AbortSignal | undefined
    budget?: Budget | undefined
    caller?: string | undefined
  },
) => Promise<readonly Settled<QuoteAnswer>[]>

/** USD per base unit, by address in lower case. */
export type Prices = ReadonlyMap<string, number>

/**
 * Prices the chain's well-known tokens, by quoting one whole token for the chain's USDC. Reported prices are not used.
 * A token that cannot be quoted has no price.
 *
 * @throws QuoteError if nothing could be read.
 */
export async function priceKnownTokens(
  chain: Registry.ServedChain,
  quoteMany: QuoteMany,
): Promise<Prices> {
  const known = KnownTokens.of(chain)
  const usdc = known.find(({ address }) => Addresses.equal(address, chain.usdc))!
  const others = known.filter((token) => token !== usdc)
  const requests = others.map(({ address, decimals }) =>
    requestOf(chain, { tokenIn: address, tokenOut: chain.usdc, amountIn: 10n ** BigInt(decimals) }),
  )
  const answers = await quoteMany(requests)
  const prices = new Map([[usdc.address.toLowerCase(), 10 ** -usdc.decimals]])
  for (const [index, answer] of answers.entries()) {
    if (!answer.ok) {
      demandAnswer(answer.error)
      continue
    }
    const { address, decimals } = others[index]!
    const usd = Number(answer.value.quote.plan.route.grossOut) / 10 ** usdc.decimals
    prices.set(address.toLowerCase(), usd / 10 ** decimals)
  }
  return prices
}

/** @throws the error, unless it is an answer about the trade. */
export function demandAnswer(error: unknown): void {
  const isAnswer = error instanceof QuoteError && /^(no_route|bad_in|bad_out)$/.test(error.code)
  if (!isAnswer) throw error
}

export function requestOf(
  chain: Registry.ServedChain,
  trade: { tokenIn: Address; tokenOut: Address; amountIn: bigint },
): QuoteRequest.QuoteRequest {
  return {
    chain,
    tokenIn: { address: trade.tokenIn, isNative: false },
    tokenOut: { address: trade.tokenOut, isNative: false },
    amountIn: trade.amountIn,
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: QuoteRequest.defaultDeadlineSec,
    isExact: false,
    gasPrice: 0n,
    connectors: [],
  }
}
