import type { Plan } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { Block } from '../heads/Head.js'
import { askLens, wordOf } from '../lens/askLens.js'
import type { RefusedSide } from '../quotes/PlanAnswer.js'
import { type PinnedCall, readPinned } from '../quotes/readPinned.js'
import { within } from '../support/within.js'

/** Somebody who holds nothing. */
const stranger: Address = '0x000000000000000000000000737472616e676572'

/**
 * Which of each route's tokens refuses transfers: each is moved, by a call alone, from the pool that holds it; or does not
 * tell balances as the Router reads them. `undefined` if both do, or no node says.
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
  const endsAt = performance.now() + options.budgetMs
  const read = await readPinned(state, calls, options)
  // A token can flood the answer, so that none is heard.
  const results = read.ok ? read.results.values() : undefined
  const sides = moves.map((own) => sideOf(own.map(() => results?.next().value?.ok !== false)))
  const open = moves.map((own, index) => (sides[index] === undefined ? own : []))
  const left = { ...options, budgetMs: endsAt - performance.now() }
  const unread = await findUnread(state, open, left)
  return sides.map((side, index) => side ?? unread[index])
}

/** @param isFine Of the token that is sold, and of the one that is bought. */
function sideOf([sold, bought]: readonly boolean[]): RefusedSide {
  if (sold === false) return 'in'
  return bought === false ? 'out' : undefined
}

/** Which token does not tell in one word, and for little gas, what its pool holds: the Router takes no other answer. */
async function findUnread(
  state: ChainState,
  moves: readonly (readonly PinnedCall[])[],
  { budget, budgetMs, now, onFailure, signal }: findRefusals.Options,
): Promise<readonly RefusedSide[]> {
  const asks = moves.flat().map(({ from, to }) => ({ to, data: balanceData(from!) }))
  if (asks.length === 0 || budgetMs <= 0) return moves.map(() => undefined)
  const asked = askLens(state, asks, { budget, now, onFailure, signal }).catch(() => undefined)
  const read = await within(budgetMs, asked)
  const answers = read?.answers.values()
  return moves.map((own) =>
    sideOf(own.map(() => answers === undefined || wordOf(answers.next().value) !== undefined)),
  )
}

function balanceData(holder: Address) {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}

/** One unit of either token, from the pool that takes part with it; none if a route has no such pool. */
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
