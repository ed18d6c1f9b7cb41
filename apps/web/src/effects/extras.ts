import { Addresses } from '@sluice/domain'
import type { QuoteParameters } from '@sluice/sdk'
import { type Client, getPrice, getQuote, getQuotes, type Quote } from '@sluice/sdk'
import { tokenKey } from '../machine/question.js'
import { nativeCoin, type Token } from '../machine/State.js'
import type { Boot } from './boot.js'

/** A point of the price curve: what a size gives, beside one pool alone. */
export type CurvePoint = { readonly amountIn: bigint; readonly amountOut: bigint }

export type Curve = { readonly key: string; readonly points: readonly CurvePoint[] }

/** What is nice to know and never signed: prices in USD and the price curve. */
export type Extras = {
  readonly usdOf: (token: Token) => number | undefined
  readonly curveOf: (quote: Quote) => Curve | undefined
  /** How many basis points a buy of 1,000 USDC moves the price; undefined until known, null if nothing sells it. */
  readonly depthOf: (token: Token) => number | null | undefined
}

const priceKeptMs = 60_000
const thousandUsdc = 1_000_000_000n

export function createExtras(boot: Boot, onChange: () => void): Extras {
  const { client } = boot
  const prices = new Map<string, { usd: number | undefined; at: number }>()
  const depths = new Map<string, number | null>()
  const wanted = new Set<string>()
  let curve: Curve | undefined

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
      once(`curve ${key}`, async () => {
        curve = { key, points: await curvePoints(client, quote) }
      })
      return curve?.key === key ? curve : undefined
    },
    depthOf(token) {
      const key = tokenKey(token.chainId, token.address)
      once(`depth ${key}`, async () => {
        const { address: out, chainId: chain } = token
        const quote = await getQuote(client, {
          chain,
          in: 'USDC',
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

/** Parts of the trade and multiples of it, in thousandths. */
const sizes = [50n, 200n, 500n, 1_000n, 1_500n, 2_000n, 3_000n, 4_000n]

async function curvePoints(client: Client, quote: Quote): Promise<readonly CurvePoint[]> {
  const { amountIn, chainId, tokenIn, tokenOut } = quote
  // A tax shows only if the swap is run.
  const isTaxed = quote.warnings?.some(({ code }) => code === 'taxed_token') === true
  const requests: QuoteParameters[] = sizes
    .map((size) => (amountIn * size) / 1_000n)
    .filter((amount) => amount > 0n)
    .map((amount) => ({
      chain: chainId,
      in: tokenIn,
      out: tokenOut,
      amountIn: amount,
      exact: isTaxed,
    }))
  const settled = await getQuotes(client, requests)
  return settled.flatMap((each) =>
    each.ok ? [{ amountIn: each.value.amountIn, amountOut: each.value.amountOut }] : [],
  )
}
