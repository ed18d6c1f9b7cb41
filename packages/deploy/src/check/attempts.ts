import { trialAbi } from '@sluice/abi'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import type { Bench } from './Bench.js'
import type { FoundPool } from './findPools.js'

/** A swap to try on one pool. */
export type Swap = {
  readonly pool: FoundPool
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** What the Trial says of one swap. */
export type Outcome = ReturnType<typeof decodeOutcomes>[number]

/** Most gas of one swap. */
export const gasEach = 3_000_000n

/** Calldata of the Trial that makes and prices swaps. */
export function encodeAttempts({ args }: Bench, swaps: readonly Swap[]): Hex {
  const attempts = swaps.map(({ amountIn, pool, tokenIn, tokenOut }) => ({
    leg: { venue: pool.venue, pool: pool.legPool, tokenIn, tokenOut, key: pool.key, share: 0n },
    pool: [...pool.words],
    amountIn,
  }))
  const functionName = 'run'
  return encodeFunctionData({ abi: trialAbi, functionName, args: [...args, attempts, gasEach] })
}

/** The outcomes, in the order of the swaps. */
export function decodeOutcomes(data: Hex) {
  return decodeFunctionResult({ abi: trialAbi, functionName: 'run', data })[1]
}
