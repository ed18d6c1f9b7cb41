import { DeployError } from '../errors.js'
import { parseChainConfig } from '../parseChainConfig.js'
import type { Rpc } from '../rpc.js'
import { decodeOutcomes, encodeAttempts, type Outcome } from './attempts.js'
import { type Bench, benchOf } from './Bench.js'
import { findPools } from './findPools.js'
import { pairOf } from './pairs.js'
import type { Recording } from './Recording.js'
import { askWith } from './recordState.js'
import type { Ask } from './TrialCalls.js'

/**
 * Repeats a recorded swap with the contracts of this repository, on any node that takes state overrides and has no state of its
 * own at the recorded addresses: a fresh development node at the recorded time.
 *
 * @returns What the Pricer computes, and what the pool pays.
 */
export async function replay(rpc: Rpc, recording: Recording): Promise<Outcome> {
  const ask = askWith(rpc, recording.state)
  return await attempt(ask, benchOf(parseChainConfig(recording.configFile)), recording)
}

/** Finds the pool of a recording, and makes its swap. */
export async function attempt(
  ask: Ask,
  bench: Bench,
  swap: Pick<Recording, 'amountIn' | 'key' | 'pool' | 'tokenIn' | 'tokenOut'>,
): Promise<Outcome> {
  const { key, tokenIn, tokenOut } = swap
  const pair = pairOf(tokenIn, tokenOut)
  const hints = [{ pair, pool: swap.pool }]
  const { pools } = await findPools(ask, bench, { pairs: [pair], hints })
  // The key of a listed pool is its place in the config, which a recording shortens.
  const same = pools.filter((each) => each.pool.toLowerCase() === swap.pool.toLowerCase())
  const pool = same.length === 1 ? same[0] : same.find((each) => String(each.key) === key)
  if (pool === undefined)
    throw new DeployError('NOT_REPEATABLE', `The Finder does not find the pool ${swap.pool}.`)
  const planned = { pool, tokenIn, tokenOut, amountIn: BigInt(swap.amountIn) }
  const answer = await ask(encodeAttempts(bench, [planned]), bench.override)
  if (answer === undefined)
    throw new DeployError('NOT_REPEATABLE', 'The node rejected the call with the swap.')
  return decodeOutcomes(answer)[0]!
}
