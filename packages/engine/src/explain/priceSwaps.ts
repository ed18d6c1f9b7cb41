import { pricerAbi } from '@sluice/abi'
import { Market, type PathSearch } from '@sluice/domain'
import { concatHex, decodeFunctionResult } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { LensAnswer } from '../lens/askLens.js'
import { askInGroups, type GroupOptions } from './askInGroups.js'

/**
 * Prices swaps on single pools with the Pricer, in one node request.
 *
 * @returns The swaps in their order; those beyond the maximum of one request count as unread. `undefined` if no node
 * answers.
 */
export async function priceSwaps(
  state: ChainState,
  market: Market.Market,
  swaps: readonly PathSearch.Swap[],
  options: GroupOptions,
): Promise<readonly PathSearch.PricedSwap[] | undefined> {
  const reads = swaps.map((swap) => ({
    to: options.chain.contracts.pricer,
    data: Market.encodeSwap(market.pools[swap.pool]!, swap),
  }))
  const answers = await askInGroups(state, reads, options)
  return answers && swaps.map((swap, index) => ({ ...swap, ...paidBy(answers[index]) }))
}

/** Output and gas of the Pricer's three words; no output if it failed or ran out of gas. */
function paidBy(answer: LensAnswer | undefined): Pick<PathSearch.PricedSwap, 'amountOut' | 'gas'> {
  if (!answer?.ok || answer.size !== 96n) return { amountOut: undefined, gas: 0n }
  const data = concatHex(answer.words)
  const [amountOut, gas] = decodeFunctionResult({ abi: pricerAbi, functionName: 'quote', data })
  return { amountOut, gas }
}
