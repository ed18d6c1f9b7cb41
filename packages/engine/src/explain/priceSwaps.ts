import { pricerAbi } from '@sluice/abi'
import { Market, type PathSearch, type Registry } from '@sluice/domain'
import { concatHex, decodeFunctionResult } from 'viem'
import type { ChainState } from '../ChainState.js'
import { decodeLens, type LensAnswer } from '../lens/askLens.js'
import { lensCall, lensOverride } from '../lens/lensCall.js'
import { readPinned } from '../quotes/readPinned.js'

export type PriceOptions = Pick<
  readPinned.Options,
  'now' | 'onFailure' | 'signal' | 'budget' | 'block'
> & {
  /** Monotonic milliseconds. */
  readonly endsAt: number
  readonly chain: Registry.ServedChain
}

/** Swaps in one call of the Lens, and gas of each: a pool that burns all its gas does not take that of the others. */
const swapsPerCall = 48
const gasEach = 600_000n
/** Maximum number of swaps in one node request. */
const maxSwaps = 240

/**
 * Prices swaps on single pools with the Pricer, all on one block and in one node request. A pool that fails does not affect
 * the others.
 *
 * @returns The swaps in their order; those beyond the maximum count as unread. `undefined` if no node answers.
 */
export async function priceSwaps(
  state: ChainState,
  market: Market.Market,
  swaps: readonly PathSearch.Swap[],
  { chain, endsAt, ...options }: PriceOptions,
): Promise<readonly PathSearch.PricedSwap[] | undefined> {
  if (swaps.length === 0) return []
  const asked = swaps.slice(0, maxSwaps)
  const groups = Array.from({ length: Math.ceil(asked.length / swapsPerCall) }, (_, index) =>
    asked.slice(index * swapsPerCall, (index + 1) * swapsPerCall),
  )
  const calls = groups.map((group) => {
    const asks = group.map((swap) => ({
      to: chain.contracts.pricer,
      data: Market.encodeSwap(market.pools[swap.pool]!, swap),
    }))
    return { ...lensCall(asks, gasEach), override: { ...chain.stateOverride, ...lensOverride } }
  })
  let answers: readonly LensAnswer[] | undefined
  const read = await readPinned(state, calls, {
    ...options,
    budgetMs: Math.max(0, endsAt - performance.now()),
    needsOverrides: true,
    accepts(results, block) {
      const decoded = results.map((result, index) =>
        decodeLens(result, block, groups[index]!.length),
      )
      answers = decoded.includes(undefined) ? undefined : decoded.flatMap((each) => each!)
      return answers !== undefined
    },
  })
  if (!read.ok || answers === undefined) return undefined
  return swaps.map((swap, index) => ({ ...swap, ...paidBy(answers![index]) }))
}

/** The Pricer's two words; no output if it failed or ran out of gas. */
function paidBy(answer: LensAnswer | undefined): Pick<PathSearch.PricedSwap, 'amountOut' | 'gas'> {
  if (!answer?.ok || answer.size !== 64n) return { amountOut: undefined, gas: 0n }
  const data = concatHex([answer.words[0], answer.words[1]])
  const [amountOut, gas] = decodeFunctionResult({ abi: pricerAbi, functionName: 'quote', data })
  return { amountOut, gas }
}
