import type { QuoteResponse } from '@sluice/api'
import { type QuoteRequest, UsdPrice } from '@sluice/domain'
import { type Engine, within } from '@sluice/engine'
import { pointsOfPrice, previewPoints } from './pointsOf.js'

/** What is read beside a quote, at the same time: unknown tokens, and prices if they are requested. */
export type Asides = {
  /** Cost of the readings that are not in memory. */
  readonly points: number
  /** Starts the readings. Never throws: a quote is whole without them. */
  readonly start: (options: Options) => Reading
}

/** Waits for the readings, with the answer that they belong to. */
export type Reading = (amounts: Amounts) => Promise<QuoteResponse['usd']>

type Amounts = { readonly amountIn: bigint; readonly amountOut: bigint }
type Options = { readonly signal: AbortSignal; readonly caller: string }

/** How long a finished quote waits for them, in milliseconds. */
const [tokensMs, pricesMs] = [250, 2_500]

/** Asides of a request. Costs nothing if both tokens are known and no value is requested. */
export function asidesOf(
  engine: Pick<Engine, 'tokens' | 'prices'>,
  { chain, inUsd, tokenIn, tokenOut }: QuoteRequest.QuoteRequest,
): Asides | undefined {
  const addresses = [tokenIn.address, tokenOut.address]
  const tokens = engine.tokens(chain.chainId)
  const isKnown = tokens.isKept(addresses)
  if (isKnown && !inUsd) return undefined
  const prices = engine.prices(chain.chainId)
  const unpriced = inUsd ? addresses.filter((address) => !prices.isKept(address)).length : 0
  return {
    points: (isKnown ? 0 : previewPoints) + unpriced * pointsOfPrice({ isRun: true }),
    start(options) {
      const read = isKnown ? undefined : quietly(tokens.read(addresses, options))
      const priced = inUsd ? quietly(prices.get(addresses, options)) : undefined
      return async ({ amountIn, amountOut }) => {
        if (read !== undefined) await within(tokensMs, read)
        if (priced === undefined) return undefined
        const [ofIn, ofOut] = (await within(pricesMs, priced)) ?? []
        const worth = (found: typeof ofIn, amount: bigint) =>
          found?.verdict.ok ? UsdPrice.value(found.verdict.price, amount) : null
        return { in: worth(ofIn, amountIn), out: worth(ofOut, amountOut) }
      }
    },
  }
}

/** A failed reading has no result. Nothing else may fail for it. */
function quietly<value>(reading: Promise<value>): Promise<value | undefined> {
  return reading.catch(() => undefined)
}
