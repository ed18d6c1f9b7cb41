import { Addresses, type Registry } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { askLens, type LensAnswer, type LensOptions, wordOf } from '../lens/askLens.js'
import { isSingleton, type MarketPair } from '../market/MarketPair.js'
import { demandAnswer, type Prices, type QuoteMany, requestOf } from './priceKnownTokens.js'
import { textOf } from './readTexts.js'

/** A token that may be meant, with what the chain says of it. */
export type Candidate = {
  readonly address: Address
  /** The contract's own words; `undefined` where it gives none that can be read. */
  readonly symbol: string | undefined
  readonly name: string | undefined
  /** Worth of what its pools hold of well-known tokens. */
  readonly depthUsd: number
}

/** A trade that proves a depth is this part of it; a pool that has the depth moves by about as much. */
const probeParts = 100
const maxProbeImpactBps = 1_000n
const leastProbeUsd = 1

/**
 * Reads what is behind the rows of a report, all at one block: what the tokens call themselves, and what each pool holds
 * of tokens that have a price. What a pool is said to hold, and what it holds of tokens without a price, counts nothing.
 */
export async function measureDepth(
  state: ChainState,
  parameters: { tokens: readonly Address[]; rows: readonly MarketPair[]; prices: Prices },
  options: LensOptions,
): Promise<readonly Candidate[]> {
  const { prices, rows, tokens } = parameters
  const holdings = rows.flatMap((row) => holdingOf(row, tokens, prices))
  const [symbol, name] = (['symbol', 'name'] as const).map((functionName) =>
    encodeFunctionData({ abi: erc20Abi, functionName }),
  ) as [Hex, Hex]
  const asks = [
    ...holdings.map(({ pair, priced }) => ({ to: priced, data: balanceOf(pair) })),
    ...tokens.flatMap((to) => [
      { to, data: symbol },
      { to, data: name },
    ]),
  ]
  const { answers } = await askLens(state, asks, options)
  const texts = answers.slice(holdings.length)
  return tokens.map((address, index) => ({
    address,
    symbol: textOf(texts[2 * index]),
    name: textOf(texts[2 * index + 1]),
    depthUsd: worthOf(address, holdings, answers, prices),
  }))
}

/**
 * Whether the depth can be traded on: a holding that is in no pool of ours, or far from the price, is not liquidity,
 * whoever calls it so. A swap of a part of the depth must find a route and move the price no more than such a depth does.
 */
export async function isTradable(
  chain: Registry.ServedChain,
  { address, depthUsd }: Candidate,
  quoteMany: QuoteMany,
  options: { signal?: AbortSignal | undefined },
): Promise<boolean> {
  const usd = Math.max(depthUsd / probeParts, leastProbeUsd)
  const amountIn = BigInt(Math.round(Math.min(usd, 1e9) * 1e6))
  const request = requestOf(chain, { tokenIn: chain.usdc, tokenOut: address, amountIn })
  const [answer] = await quoteMany([request], options)
  if (answer!.ok) return answer!.value.quote.plan.route.impactBps <= maxProbeImpactBps
  demandAnswer(answer!.error)
  return false
}

type Holding = { readonly token: Address; readonly priced: Address; readonly pair: Address }

function holdingOf(row: MarketPair, tokens: readonly Address[], prices: Prices): Holding[] {
  if (isSingleton(row)) return []
  const sides = [row.base.address, row.quote.address] as const
  return ([sides, [sides[1], sides[0]]] as const).flatMap(([token, priced]): Holding[] => {
    const counts = tokens.includes(token) && prices.has(priced.toLowerCase())
    return counts ? [{ token, priced, pair: row.pair as Address }] : []
  })
}

function worthOf(
  token: Address,
  holdings: readonly Holding[],
  answers: readonly LensAnswer[],
  prices: Prices,
): number {
  return holdings.reduce((sum, holding, index) => {
    if (!Addresses.equal(holding.token, token)) return sum
    const balance = wordOf(answers[index]) ?? 0n
    return sum + Number(balance) * prices.get(holding.priced.toLowerCase())!
  }, 0)
}

function balanceOf(holder: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}
