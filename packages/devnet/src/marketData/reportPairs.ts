import type { Rpc } from '@sluice/deploy'
import { type Address, zeroAddress } from 'viem'
import type { ChainSpec, TokenSpec } from '../chains.js'
import type { PoolKind } from '../market.js'
import { idOf, type PlacedPool, type Reserves, readReserves } from './readReserves.js'

/** A chain of the devnet with the data from which its market data is computed. */
export type ReportedChain = {
  readonly spec: ChainSpec
  readonly rpc: Rpc
  readonly pools: readonly PlacedPool[]
}

/** The token whose reserves this source reports falsely, and the factor. */
const liesAbout = 'MIRAGE'
const lieFactor = 100

/** Dexscreener's names of the chains. */
export const slugs: Readonly<Record<number, string>> = {
  8453: 'base',
  1: 'ethereum',
  10: 'optimism',
  42161: 'arbitrum',
}

/** Dexscreener's names and labels. They denote a family of protocols, not a contract. */
const venues: Readonly<Partial<Record<PoolKind, readonly [dex: string, label: string]>>> = {
  uniswapV2: ['uniswap', 'v2'],
  uniswapV3: ['uniswap', 'v3'],
  uniswapV4: ['uniswap', 'v4'],
  pancakeV3: ['pancakeswap', 'v3'],
  slipstream: ['aerodrome', 'slipstream'],
  solidly: ['aerodrome', 'v2'],
  algebra: ['camelot', 'v4'],
  curve: ['curve', ''],
}

const nothing = { m5: 0, h1: 0, h6: 0, h24: 0 }
const noTrades = { buys: 0, sells: 0 }

/** Returns pools in Dexscreener's format, with their current reserves. */
export async function reportPairs(
  { rpc, spec }: ReportedChain,
  pools: readonly PlacedPool[],
): Promise<object[]> {
  const reserves = await readReserves(rpc, pools)
  return pools.map((pool, index) => pairOf(spec, pool, reserves[index]!))
}

function pairOf(chain: ChainSpec, { address, spec }: PlacedPool, reserves: Reserves): object {
  const { token0, token1 } = spec
  const isBase0 = standing(chain, token0) > standing(chain, token1)
  const [base, quote] = isBase0 ? [token0, token1] : [token1, token0]
  const factor = [token0, token1].some(({ symbol }) => symbol === liesAbout) ? lieFactor : 1
  const whole0 = (reserves.reserve0 / 10 ** token0.decimals) * factor
  const whole1 = (reserves.reserve1 / 10 ** token1.decimals) * factor
  const price0 = reserves.price * 10 ** (token0.decimals - token1.decimals)
  const priceNative = isBase0 ? price0 : 1 / price0
  const priceUsd = priceNative * quote.usd
  const [baseAmount, quoteAmount] = isBase0 ? [whole0, whole1] : [whole1, whole0]
  const slug = slugs[chain.chainId]!
  const isNative = spec.kind === 'uniswapV4' && spec.native
  const shown = (token: TokenSpec) => tokenOf(token, isNative && token === token0)
  const pairAddress = spec.kind === 'uniswapV4' ? idOf(spec) : address
  const [dexId, label] = venues[spec.kind] ?? [spec.kind, '']
  return {
    chainId: slug,
    dexId,
    url: `https://dexscreener.com/${slug}/${pairAddress.toLowerCase()}`,
    pairAddress,
    ...(label !== '' && { labels: [label] }),
    baseToken: shown(base),
    quoteToken: shown(quote),
    priceNative: priceNative.toPrecision(12),
    priceUsd: priceUsd.toPrecision(12),
    txns: { m5: noTrades, h1: noTrades, h6: noTrades, h24: noTrades },
    volume: nothing,
    priceChange: nothing,
    liquidity: {
      usd: baseAmount * priceUsd + quoteAmount * quote.usd,
      base: baseAmount,
      quote: quoteAmount,
    },
  }
}

function tokenOf({ address, symbol }: TokenSpec, isNative: boolean) {
  return isNative
    ? { address: zeroAddress as Address, name: 'Ether', symbol: 'ETH' }
    : { address, name: symbol, symbol }
}

/** Rank of a token: in a pair, the token with the lower rank is the quote token. */
function standing({ tokens, usdc }: ChainSpec, { address }: TokenSpec): number {
  return address === usdc ? -1 : tokens.findIndex((token) => token.address === address)
}
