import { Addresses } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { Head } from '../heads/Head.js'
import { askLens, type LensAnswer, type LensOptions, wordOf } from '../lens/askLens.js'
import type { LensAsk } from '../lens/lensCall.js'
import type { MarketReport } from '../market/createMarket.js'
import { isSingleton, type MarketPair } from '../market/MarketPair.js'
import { comparePool, type Held, summarize } from './compareReserves.js'
import { measureTax, unknownTax } from './measureTax.js'
import type { Xray, XrayPool } from './Xray.js'

const decimalsData = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

/**
 * Reads everything that a source reports about a token's pools on chain, on one block and in one call.
 *
 * @throws QuoteError if no node answers.
 */
export async function readXray(
  state: ChainState,
  token: Address,
  { pairs, source }: MarketReport,
  options: LensOptions,
): Promise<Xray> {
  const tokens = tokensOf(pairs)
  const asked = pairs.filter((row) => !isSingleton(row))
  const asks = [
    ...tokens.map((to) => ({ to, data: decimalsData })),
    ...asked.flatMap(({ base, pair, quote }) => [
      balanceAsk(base.address, pair as Address),
      balanceAsk(quote.address, pair as Address),
    ]),
  ]
  const { answers, block, call } = await askLens(state, asks, options)
  const decimals = new Map(tokens.map((each, index) => [each, decimalsOf(answers[index])]))
  const balances = answers.slice(tokens.length)
  const heldAt = (place: number, side: Address, isAsked: boolean): Held => ({
    balance: isAsked ? wordOf(balances[place]) : undefined,
    decimals: decimals.get(side),
    call: isAsked ? asks[tokens.length + place] : undefined,
  })
  const pools = pairs.map((row) => {
    const place = 2 * asked.indexOf(row)
    const isAsked = place >= 0
    return comparePool(row, {
      base: heldAt(place, row.base.address, isAsked),
      quote: heldAt(place + 1, row.quote.address, isAsked),
    })
  })
  const tax = await taxOf(state, { token, pools, block }, options)
  const { chainId } = state.chain
  const summary = summarize(pools)
  return { chainId, token, source, block, summary, pools, tax, call, readAt: options.now() }
}

/** Measures the tax on the pool with the highest balance on chain. */
async function taxOf(
  state: ChainState,
  { block, pools, token }: { token: Address; pools: readonly XrayPool[]; block: Head },
  options: LensOptions,
) {
  const held = pools.flatMap(({ base, method, pair, quote }) => {
    const side = [base, quote].find((each) => Addresses.equal(each.token, token))
    const balance = side?.balance
    return method === 'balanceOf' && balance ? [{ pair: pair as Address, balance }] : []
  })
  const [deepest] = held.sort((a, b) => (a.balance < b.balance ? 1 : -1))
  if (deepest === undefined)
    return unknownTax('No pool with a readable balance of the token was found.')
  return await measureTax(state, { token, block, ...deepest }, options)
}

function tokensOf(pairs: readonly MarketPair[]): readonly Address[] {
  const all = pairs.flatMap(({ base, quote }) => [base.address, quote.address])
  return [...new Set(all)].filter((token) => !Addresses.equal(token, Addresses.zero))
}

function balanceAsk(to: Address, holder: Address): LensAsk {
  const data: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  return { to, data }
}

function decimalsOf(answer: LensAnswer | undefined): number | undefined {
  const word = wordOf(answer)
  return word === undefined || word > 255n ? undefined : Number(word)
}
