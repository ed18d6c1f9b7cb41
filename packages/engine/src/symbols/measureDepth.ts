import type { Registry } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { askLens, type LensOptions, wordOf } from '../lens/askLens.js'
import { isSingleton, type MarketPair } from '../market/MarketPair.js'
import { demandAnswer, type Prices, type QuoteMany, requestOf } from './priceKnownTokens.js'
import { textOf } from './readTexts.js'

/** A token that may be meant, with what was read from the chain. */
export type Candidate = {
  readonly address: Address
  /** `symbol()` of the contract; `undefined` if it cannot be read. */
  readonly symbol: string | undefined
  readonly name: string | undefined
  /** USD value of the priced tokens that its pools hold. */
  readonly depthUsd: number
  /** Balances of its pools in tokens without a price, in base units. */
  readonly unpriced: ReadonlyMap<Address, bigint>
  /** Connectors needed to find a route to the token. */
  readonly via: readonly Address[]
}

/** Divisor of the depth that is traded there and back to prove it. */
const probeParts = 10
/** Minimum share of that trade's input that must come back. */
const minBack = 2 / 3
const minProbeUsd = 1

/**
 * Reads the tokens of a market report on chain, on one block: their symbols and names, and how much each pool holds of
 * the other token. Reported reserves are ignored.
 */
export async function measureDepth(
  state: ChainState,
  parameters: { tokens: readonly Address[]; rows: readonly MarketPair[]; prices: Prices },
  options: LensOptions,
): Promise<readonly Candidate[]> {
  const { prices, rows, tokens } = parameters
  const holdings = rows.flatMap((row) => holdingsOf(row, tokens))
  const [symbol, name] = (['symbol', 'name'] as const).map((functionName) =>
    encodeFunctionData({ abi: erc20Abi, functionName }),
  ) as [Hex, Hex]
  const asks = [
    ...holdings.map(({ other, pair }) => ({ to: other, data: balanceOf(pair) })),
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
    ...worthOf(
      holdings.flatMap(({ other, token }, place) => {
        const balance = token === address ? wordOf(answers[place]) : undefined
        return balance === undefined ? [] : [{ other, balance }]
      }),
      prices,
    ),
    via: [],
  }))
}

/**
 * Returns whether the depth can be traded. A balance that is in no pool of ours, or far from the price, is not
 * liquidity. Buying with a part of the depth is not enough, since a pool that holds only the token would sell it. So
 * what was bought must also sell for enough on the same state.
 */
export async function isTradable(
  chain: Registry.ServedChain,
  { address, depthUsd, via }: Candidate,
  quoteMany: QuoteMany,
  options: { signal?: AbortSignal | undefined },
): Promise<boolean> {
  const usd = Math.max(depthUsd / probeParts, minProbeUsd)
  const usdcIn = BigInt(Math.round(Math.min(usd, 1e9) * 1e6))
  const swap = async (tokenIn: Address, tokenOut: Address, amountIn: bigint) => {
    const request = { ...requestOf(chain, { tokenIn, tokenOut, amountIn }), connectors: via }
    const [answer] = await quoteMany([request], options)
    if (answer!.ok) return answer!.value.quote.plan.route.grossOut
    demandAnswer(answer!.error)
    return 0n
  }
  const bought = await swap(chain.usdc, address, usdcIn)
  if (bought === 0n) return false
  const back = await swap(address, chain.usdc, bought)
  return Number(back) >= minBack * Number(usdcIn)
}

/** A pool's balance of the token that is paired with a candidate. */
type Holding = { readonly token: Address; readonly other: Address; readonly pair: Address }

function holdingsOf(row: MarketPair, tokens: readonly Address[]): Holding[] {
  if (isSingleton(row)) return []
  const [base, quote] = [row.base.address, row.quote.address]
  const sides = [
    [base, quote],
    [quote, base],
  ] as const
  return sides.flatMap(([token, other]) =>
    tokens.includes(token) ? [{ token, other, pair: row.pair as Address }] : [],
  )
}

function worthOf(
  balances: readonly { other: Address; balance: bigint }[],
  prices: Prices,
): Pick<Candidate, 'depthUsd' | 'unpriced'> {
  let depthUsd = 0
  const unpriced = new Map<Address, bigint>()
  for (const { balance, other } of balances) {
    const price = prices.get(other.toLowerCase())
    if (price !== undefined) depthUsd += Number(balance) * price
    else if (balance > 0n) unpriced.set(other, (unpriced.get(other) ?? 0n) + balance)
  }
  return { depthUsd, unpriced }
}

function balanceOf(holder: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}
