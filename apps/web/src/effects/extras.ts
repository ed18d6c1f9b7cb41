import { Addresses, KnownTokens, VenueNames } from '@sluice/domain'
import type { QuoteParameters } from '@sluice/sdk'
import { type Client, getPrice, getQuote, getQuotes, type Quote } from '@sluice/sdk'
import { tokenKey } from '../machine/question.js'
import { nativeCoin, type Token } from '../machine/State.js'
import type { Boot } from './boot.js'

/** A point of the price curve: what a size gives, beside one pool alone. */
export type CurvePoint = { readonly amountIn: bigint; readonly amountOut: bigint }

/** What the trade would get without splitting, on the block of a quote that gets `quoted`. */
export type Unsplit = {
  readonly kind: 'single_pool' | 'single_path'
  readonly amountOut: bigint
  readonly quoted: bigint
  /** Venues of its pools, in order. */
  readonly venues: readonly string[]
}

export type Curve = {
  readonly key: string
  readonly points: readonly CurvePoint[]
  /** `undefined` if the service could not tell. */
  readonly unsplit: readonly Unsplit[] | undefined
}

/** What is nice to know and never signed: prices in USD and the price curve. */
export type Extras = {
  readonly usdOf: (token: Token) => number | undefined
  readonly curveOf: (quote: Quote) => Curve | undefined
  /** How many basis points a buy of 1,000 USDC moves the price; undefined until known, null if nothing sells it. */
  readonly depthOf: (token: Token) => number | null | undefined
}

const priceKeptMs = 60_000
/** A trade is left alone for so long before its curve is asked for, which costs a dozen quotes. */
const restMs = 600
const thousandUsdc = 1_000_000_000n

export function createExtras(boot: Boot, onChange: () => void): Extras {
  const { client } = boot
  const prices = new Map<string, { usd: number | undefined; at: number }>()
  const depths = new Map<string, number | null>()
  const wanted = new Set<string>()
  let curve: Curve | undefined
  let resting = { key: '', at: 0 }

  /** Runs once for each name; what fails is asked for again later. */
  const once = (name: string, run: () => Promise<void>) => {
    if (wanted.has(name)) return
    wanted.add(name)
    run()
      .then(onChange)
      .catch(() => setTimeout(() => wanted.delete(name), 15_000))
  }

  const isUsd = ({ address, chainId }: Token) =>
    boot.chains.some(
      (chain) => chain.chainId === chainId && chain.usdc.toLowerCase() === address.toLowerCase(),
    )

  return {
    usdOf(token) {
      if (isUsd(token)) return 1
      const key = tokenKey(token.chainId, token.address)
      const found = prices.get(key)
      const isOld = found === undefined || Date.now() - found.at > priceKeptMs
      // A name that is no address was typed into a link: the service says itself that it knows none.
      const isToken = token.address === nativeCoin || Addresses.hasShape(token.address)
      if (isOld && isToken)
        once(`price ${key} ${Math.floor(Date.now() / priceKeptMs)}`, async () => {
          prices.set(key, { usd: await priceOf(client, token), at: Date.now() })
        })
      return found?.usd
    },
    curveOf(quote) {
      const { amountIn, chainId, tokenIn, tokenOut } = quote
      const key = [chainId, tokenIn, tokenOut, amountIn].join(' ')
      if (resting.key !== key) {
        resting = { key, at: Date.now() }
        setTimeout(onChange, restMs)
      } else if (Date.now() - resting.at >= restMs)
        once(`curve ${key}`, async () => {
          const [points, unsplit] = await Promise.all([
            curvePoints(client, quote),
            unsplitOf(client, quote).catch(() => undefined),
          ])
          curve = { key, points, unsplit }
        })
      return curve?.key === key ? curve : undefined
    },
    depthOf(token) {
      const key = tokenKey(token.chainId, token.address)
      once(`depth ${key}`, async () => {
        const { address: out, chainId: chain } = token
        const quote = await getQuote(client, {
          chain,
          in: KnownTokens.dollarOf(chain).symbol,
          out,
          amountIn: thousandUsdc,
        }).catch(() => undefined)
        depths.set(key, quote?.quote?.impactBps ?? null)
      })
      return depths.get(key)
    },
  }
}

/** USD for one whole token, if the service can prove a price: by a purchase and a sale that come out alike. */
async function priceOf(client: Client, { address, chainId }: Token): Promise<number | undefined> {
  const { prices } = await getPrice(client, { chain: chainId, tokens: [address] })
  const usd = prices[0]?.usd ?? undefined
  return usd === undefined ? undefined : Number(usd)
}

/** The best single pool, and the best path of single pools. */
async function unsplitOf(client: Client, quote: Quote): Promise<readonly Unsplit[] | undefined> {
  // They are told by the arithmetic of pools, which knows no tax.
  if (isTaxed(quote)) return undefined
  const { amountIn, chainId: chain, tokenIn, tokenOut } = quote
  const asked = { chain, in: tokenIn, out: tokenOut, amountIn, explain: true }
  const { amountOut: quoted, explain } = await getQuote(client, asked)
  return explain?.alternatives?.map(({ amountOut, kind, legs }) => ({
    ...{ kind, amountOut, quoted },
    venues: legs.map((leg) => VenueNames.ofLeg(leg)),
  }))
}

/** A tax shows only if the swap is run. */
function isTaxed({ warnings }: Quote): boolean {
  return warnings?.some(({ code }) => code === 'taxed_token') === true
}

/** Parts of the trade and multiples of it, in thousandths. */
const sizes = [50n, 200n, 500n, 1_000n, 1_500n, 2_000n, 3_000n, 4_000n]

async function curvePoints(client: Client, quote: Quote): Promise<readonly CurvePoint[]> {
  const { amountIn, chainId, tokenIn, tokenOut } = quote
  const requests: QuoteParameters[] = sizes
    .map((size) => (amountIn * size) / 1_000n)
    .filter((amount) => amount > 0n)
    .map((amount) => ({
      chain: chainId,
      in: tokenIn,
      out: tokenOut,
      amountIn: amount,
      exact: isTaxed(quote),
    }))
  const settled = await getQuotes(client, requests)
  return settled.flatMap((each) =>
    each.ok ? [{ amountIn: each.value.amountIn, amountOut: each.value.amountOut }] : [],
  )
}
