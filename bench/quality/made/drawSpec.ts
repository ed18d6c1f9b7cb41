import { type ChainSpec, chainSpecs, type TokenSpec } from '@sluice/devnet'
import { type Address, getAddress, keccak256, toBytes } from 'viem'
import * as Random from '../../optimizer/Random.js'

const CHAIN_ID = 31_337
/** Prices of whole tokens, such that a base unit is worth less than a tenth of a cent. */
const [LEAST_USD, MOST_USD] = [1e-6, 1e5]
/** The native currency is not too cheap, because there is only a limited amount to fill pools with. */
const [LEAST_NATIVE_USD, MOST_NATIVE_USD] = [200, 20_000]

/** Chains from which the addresses of venues are taken; nothing else of them is used. */
const [base, ethereum, , arbitrum] = chainSpecs

/** Groups of tokens with about the same value, so that stable pools can contain them. */
const peers: readonly (readonly string[])[] = [
  ['USDC', 'USDT', 'DAI', 'USDX'],
  ['WETH', 'ETHX'],
  ['WBTC', 'BTCX'],
]
const others = ['AAA', 'BBB', 'CCC']

/** Draws a random chain: tokens of 6 to 18 decimals and very different prices, and every kind of venue. */
export function drawSpec(random: Random.Random, name: string): ChainSpec {
  const tokens = [...peers, ...others.map((symbol) => [symbol])].flatMap((symbols) => {
    const usd = drawPrice(random, symbols[0]!)
    return symbols.map((symbol) => drawToken(random, name, symbol, usd))
  })
  return {
    ...chainOf(name, tokens),
    ...pick(base!, ['slipstream']),
    ...pick(arbitrum!, ['algebra']),
  }
}

/** A chain with these tokens, which include WETH and USDC, Ethereum's venues, and a second constant-product venue. */
export function chainOf(name: string, tokens: readonly TokenSpec[]): ChainSpec {
  const at = (symbol: string) => tokens.find((token) => token.symbol === symbol)?.address
  return {
    ...ethereum!,
    chainId: CHAIN_ID,
    name,
    depth: 1,
    wrappedNative: at('WETH')!,
    usdc: at('USDC')!,
    slu: null,
    hasConverters: false,
    hasHinted: false,
    imitations: [],
    ...pick(base!, ['solidly']),
    connectors: ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC'].filter(at),
    tokens,
  }
}

/** Returns the groups of a chain's tokens that have about the same value. */
export function peersOf({ tokens }: ChainSpec): readonly (readonly TokenSpec[])[] {
  return peers.map((symbols) => tokens.filter(({ symbol }) => symbols.includes(symbol)))
}

function drawPrice(random: Random.Random, symbol: string): number {
  if (symbol === 'USDC') return 1
  if (symbol === 'WETH') return Random.between(random, LEAST_NATIVE_USD, MOST_NATIVE_USD)
  return Random.between(random, LEAST_USD, MOST_USD)
}

function drawToken(random: Random.Random, chain: string, symbol: string, about: number): TokenSpec {
  // Prices within a group differ by a few basis points.
  const peg = about === 1 && symbol === 'USDC' ? 1 : 1 + (random() - 0.5) * 0.001
  const usd = about * peg
  const fewest = Math.max(6, Math.ceil(Math.log10(usd) + 3))
  // A chain's native currency has 18 decimals, as gas prices require.
  const decimals = symbol === 'WETH' ? 18 : fewest + Math.floor(random() * (19 - fewest))
  return { symbol, address: addressOf(`${chain} ${symbol}`), decimals, usd }
}

function addressOf(text: string): Address {
  return getAddress(`0x${keccak256(toBytes(text)).slice(-40)}`)
}

function pick<key extends keyof ChainSpec>(
  spec: ChainSpec,
  keys: readonly key[],
): Pick<ChainSpec, key> {
  return Object.fromEntries(keys.map((key) => [key, spec[key]])) as Pick<ChainSpec, key>
}
