import { Addresses, GasCost, type QuoteRequest } from '@sluice/domain'
import type { Budget } from '@sluice/rpc'
import type { QuoteAnswer, Settled, Wanted } from '../quotes/getQuotes.js'
import type { GasPrices } from './GasPrices.js'
import type { NativeRates } from './NativeRates.js'

type GetQuotes = (requests: readonly Wanted[]) => Promise<readonly Settled<QuoteAnswer>[]>

/**
 * Amount of the native coin that is quoted to learn its rate: enough for a token with few decimals, too small to move a
 * pool.
 */
const soldWei = 10n ** 16n

/** Sets the gas price that nodes report on requests whose callers named none. */
export async function priceGas(
  requests: readonly QuoteRequest.QuoteRequest[],
  prices: GasPrices,
  budget?: Budget,
): Promise<readonly QuoteRequest.QuoteRequest[]> {
  if (!requests.some(({ takesNodePrice }) => takesNodePrice)) return requests
  const gasPrice = (await prices.current(budget)) ?? 0n
  return requests.map((request) => (request.takesNodePrice ? { ...request, gasPrice } : request))
}

/**
 * Adds `gasCostOut`, the cost of gas in the output token. If neither token is the native coin, quotes the native coin's
 * rate beside the trade, at most once a minute for each token.
 */
export function countGas(getQuotes: GetQuotes, rates: NativeRates): GetQuotes {
  return async (requests) => {
    const unknown = new Map(
      requests
        .filter((request) => needsRate(request) && rates.of(request.tokenOut.address) === undefined)
        .map((request) => [request.tokenOut.address, rateRequest(request)]),
    )
    const answers = await getQuotes([...requests, ...unknown.values()])
    for (const [index, token] of [...unknown.keys()].entries()) {
      const answer = answers[requests.length + index]!
      const out = answer.ok ? answer.value.quote.plan.route.grossOut : 0n
      if (out > 0n) rates.note(token, { wei: soldWei, out })
    }
    return requests.map((request, index) => {
      const answer = answers[index]!
      if (!answer.ok || !needsRate(request)) return answer
      const { quote } = answer.value
      const token = request.tokenOut.address
      const gasCostOut = GasCost.of(quote, rates.of(token))
      const calls = unknown.has(token) && !request.isTrial ? 2 : 1
      return { ok: true, value: { ...answer.value, calls, quote: { ...quote, gasCostOut } } }
    })
  }
}

function needsRate({ chain, gasPrice, tokenIn, tokenOut }: Wanted): boolean {
  const isNative = [tokenIn, tokenOut].some(({ address }) =>
    Addresses.equal(address, chain.wrappedNative),
  )
  return gasPrice > 0n && !isNative
}

function rateRequest({ chain, deadlineSec, tokenOut }: Wanted): Wanted {
  return {
    chain,
    tokenIn: { address: chain.wrappedNative, isNative: false },
    tokenOut,
    amountIn: soldWei,
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec,
    isExact: false,
    gasPrice: 0n,
    connectors: [],
    isTrial: true,
  }
}
