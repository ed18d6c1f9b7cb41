import type { Plan } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { RefusedSide } from '../askPlans.js'
import type { ChainState } from '../ChainState.js'
import type { Block } from '../Head.js'
import { type PinnedCall, readPinned } from '../readPinned.js'

/** Somebody who holds nothing. */
const stranger: Address = '0x000000000000000000000000737472616e676572'

/**
 * Which of each route's tokens refuses transfers: each is moved, by a call alone, from the pool that holds it. `undefined`
 * if both allow it, or no node says.
 *
 * @returns In the order of the routes, for which nodes are asked once.
 */
export async function findRefusals(
  state: ChainState,
  routes: readonly Plan.Route[],
  options: findRefusals.Options,
): Promise<readonly RefusedSide[]> {
  const moves = routes.map(movesOf)
  const calls = moves.flat()
  if (calls.length === 0 || options.budgetMs <= 0) return routes.map(() => undefined)
  const read = await readPinned(state, calls, options)
  if (!read.ok) return routes.map(() => undefined)
  const results = read.results.values()
  return moves.map((own) => {
    const [sold, bought] = own.map(() => results.next().value!)
    if (sold?.ok === false) return 'in'
    return bought?.ok === false ? 'out' : undefined
  })
}

/** One unit of either token, from the pool that takes part with it; none where a route has no such pool. */
function movesOf({ legs, tokenIn, tokenOut }: Plan.Route): readonly PinnedCall[] {
  const pays = legs.find((leg) => leg.tokenIn === tokenIn)
  const gives = legs.find((leg) => leg.tokenOut === tokenOut)
  if (pays === undefined || gives === undefined) return []
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [stranger, 1n],
  })
  return [
    { from: pays.pool, to: tokenIn, data },
    { from: gives.pool, to: tokenOut, data },
  ]
}

export declare namespace findRefusals {
  type Options = readPinned.Options & { block?: Block | undefined }
}
