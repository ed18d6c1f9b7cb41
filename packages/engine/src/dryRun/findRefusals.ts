import type { Plan } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, hexToBigInt, size } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { Block } from '../heads/Head.js'
import { askLens, wordOf } from '../lens/askLens.js'
import type { RefusedSide } from '../quotes/PlanAnswer.js'
import { type PinnedCall, type PinnedResult, readPinned } from '../quotes/readPinned.js'
import { within } from '../support/within.js'

/** An account that holds no tokens. */
const stranger: Address = '0x000000000000000000000000737472616e676572'

/**
 * Finds, for each route, a token that refuses transfers or whose `balanceOf` the Router cannot read. Simulates a
 * transfer of one unit from a pool of the route. A result is `undefined` if both tokens are fine or no node answers, and
 * if the address that the route names holds nothing: an adapter trades pools that others hold.
 *
 * @returns In the order of the routes. One request covers all of them.
 */
export async function findRefusals(
  state: ChainState,
  routes: readonly Plan.Route[],
  options: findRefusals.Options,
): Promise<readonly RefusedSide[]> {
  const moves = routes.map(movesOf)
  const calls = moves.flat().flatMap((move) => [move, holdingOf(move)])
  if (calls.length === 0 || options.budgetMs <= 0) return routes.map(() => undefined)
  const endsAt = performance.now() + options.budgetMs
  const read = await readPinned(state, calls, options)
  // A token can return so much data that the whole read fails.
  const results = read.ok ? read.results.values() : undefined
  const sides = moves.map((own) =>
    sideOf(
      own.map(() => {
        const [moved, held] = [results?.next().value, results?.next().value]
        return moved?.ok !== false || isZero(held)
      }),
    ),
  )
  const open = moves.map((own, index) => (sides[index] === undefined ? own : []))
  const left = { ...options, budgetMs: endsAt - performance.now() }
  const unread = await findUnread(state, open, left)
  return sides.map((side, index) => side ?? unread[index])
}

/** @param isFine Whether `tokenIn` and `tokenOut` passed. */
function sideOf([sold, bought]: readonly boolean[]): RefusedSide {
  if (sold === false) return 'in'
  return bought === false ? 'out' : undefined
}

/** Finds tokens whose `balanceOf` does not return exactly one word, or costs too much gas. The Router rejects those. */
async function findUnread(
  state: ChainState,
  moves: readonly (readonly PinnedCall[])[],
  { budget, budgetMs, now, onFailure, signal }: findRefusals.Options,
): Promise<readonly RefusedSide[]> {
  const asks = moves.flat().map(holdingOf)
  if (asks.length === 0 || budgetMs <= 0) return moves.map(() => undefined)
  const asked = askLens(state, asks, { budget, now, onFailure, signal }).catch(() => undefined)
  const read = await within(budgetMs, asked)
  const answers = read?.answers.values()
  return moves.map((own) =>
    sideOf(own.map(() => answers === undefined || wordOf(answers.next().value) !== undefined)),
  )
}

/** Reads what the sender of a transfer holds of the token. */
function holdingOf({ from, to }: PinnedCall) {
  const args = [from!] as const
  return { to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args }) }
}

function isZero(result: PinnedResult | undefined): boolean {
  return result?.ok === true && size(result.data) === 32 && hexToBigInt(result.data) === 0n
}

/** Transfers of one unit of each token, from the address that the route names for a pool of it; empty if there is none. */
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
