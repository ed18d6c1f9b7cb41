import type { Plan } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { RefusedSide } from '../askPlans.js'
import type { ChainState } from '../ChainState.js'
import type { Block } from '../Head.js'
import { readPinned } from '../readPinned.js'

/** Somebody who holds nothing. */
const stranger: Address = '0x000000000000000000000000737472616e676572'

/**
 * Which of a route's tokens refuses transfers: each is moved, by a call alone, from the pool that holds it. `undefined`
 * if both allow it, or no node says.
 */
export async function findRefusal(
  state: ChainState,
  route: Plan.Route,
  options: findRefusal.Options,
): Promise<RefusedSide> {
  const { legs, tokenIn, tokenOut } = route
  const pays = legs.find((leg) => leg.tokenIn === tokenIn)
  const gives = legs.find((leg) => leg.tokenOut === tokenOut)
  if (pays === undefined || gives === undefined || options.budgetMs <= 0) return undefined
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [stranger, 1n],
  })
  const read = await readPinned(
    state,
    [
      { from: pays.pool, to: tokenIn, data },
      { from: gives.pool, to: tokenOut, data },
    ],
    options,
  )
  if (!read.ok) return undefined
  const [sold, bought] = read.results
  if (sold?.ok === false) return 'in'
  return bought?.ok === false ? 'out' : undefined
}

export declare namespace findRefusal {
  type Options = readPinned.Options & { block?: Block | undefined }
}
