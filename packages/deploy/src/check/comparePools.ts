import { VenueKind } from '@sluice/domain'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  numberToHex,
} from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { Rpc } from '../rpc.js'
import { decodeOutcomes, encodeAttempts, gasEach, type Swap } from './attempts.js'
import { benchOf, type Override } from './Bench.js'
import { type Attempted, type Skipped, verdictOf } from './Comparison.js'
import { isConverter } from './findConversions.js'
import { findHints } from './findHints.js'
import { findPairs } from './findPairs.js'
import { type FoundPool, findPools } from './findPools.js'
import type { Hint } from './Hint.js'
import { askEach, readChain } from './readChain.js'
import { readTokens, type TokenFacts } from './readTokens.js'
import { createAsk } from './TrialCalls.js'

/** What to compare, and on which block. */
export type CompareOptions = {
  readonly block: Hex
  /** Pools of each venue. */
  readonly pools: number
  /** Sizes of the swaps. Each is a number of millionths of the pool's balance of the token sold. */
  readonly sizes: readonly number[]
  readonly onProgress: (text: string) => void
}

export type ComparedPools = {
  readonly attempts: readonly Attempted[]
  readonly skipped: readonly Skipped[]
  /** Pairs for which the Finder gave no answer. */
  readonly unansweredPairs: number
}

/** Gas for the Hub's configuration in each call. */
const setupGas = 6_000_000n
/** Gas of a swap besides its leg, as the Solver estimates it for tokens without extra cost (`RouteGas.sol`). */
const fixedGas = 66_000n
/** Gas of a transaction with the calldata of a route of one leg, which a call does not take. */
const sendingGas = 27_000n
const million = 1_000_000n
const totalSupply = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })

/**
 * Compares Sluice's arithmetic with the pools' own execution: each swap is one on the real pool, in a call that ends in a
 * revert, with tokens that a state override gives. Nothing is deployed or signed.
 */
export async function comparePools(
  rpc: Rpc,
  config: ChainConfig,
  { block, onProgress, pools: count, sizes }: CompareOptions,
): Promise<ComparedPools> {
  const bench = benchOf(config)
  const ask = createAsk(rpc, block)
  onProgress('Looking for pools')
  const hints = await findHints(rpc, config, { count, head: Number(block) })
  const pairs = await findPairs(rpc, config, { count, head: Number(block), hints })
  const { pools: found, unanswered } = await findPools(ask, bench, { pairs, hints })
  const chosen = choosePools(found, count)
  onProgress(`Comparing ${chosen.length} of ${found.length} pools that trade ${pairs.length} pairs`)
  const tokens = [...new Set(chosen.flatMap(({ pair }) => pair))]
  const facts = await readTokens(rpc, tokens, block)
  const idOf = ({ venue }: FoundPool) => config.venues[venue - 1]!.id
  const skipped: Skipped[] = []
  const usable = chosen.filter((pool) => {
    const problem = pool.pair.map((token) => problemOf(facts.get(token)!)).find(Boolean)
    if (problem) skipped.push({ venue: idOf(pool), pool: pool.pool, why: problem })
    return problem === undefined
  })
  const { empty, planned } = await planSwaps(rpc, usable, { block, config, hints, sizes })
  for (const { pool, tokenIn } of empty)
    skipped.push({
      venue: idOf(pool),
      pool: pool.pool,
      why: `${tokenIn}: the pool holds none of it`,
    })
  const attempts: Attempted[] = []
  let told = 0
  for (let start = 0; start < planned.length; ) {
    const perCall = Number((ask.gas() - setupGas) / gasEach / 2n)
    const group = planned.slice(start, start + Math.max(1, perCall))
    start += group.length
    const data = encodeAttempts(bench, group)
    const answer = await ask(data, withFunds(bench.override, group, facts))
    const outcomes = answer && decodeOutcomes(answer)
    for (const [index, swap] of group.entries()) {
      const outcome = outcomes?.[index]
      const venue = idOf(swap.pool)
      if (outcome === undefined) {
        skipped.push({ venue, pool: swap.pool.pool, why: 'the node rejected the call' })
        continue
      }
      attempts.push({
        venue,
        pool: swap.pool.pool,
        key: swap.pool.key,
        tokenIn: swap.tokenIn,
        tokenOut: swap.tokenOut,
        amountIn: swap.amountIn,
        words: swap.pool.words,
        expectedOut: outcome.expectedOut,
        expectedGas: fixedGas + outcome.expectedGas,
        amountOut: outcome.amountOut,
        gas: sendingGas + outcome.gas,
        verdict: verdictOf(outcome),
        failure: outcome.failure,
      })
    }
    const tenth = Math.floor((10 * start) / planned.length)
    if (tenth > told) onProgress(`${start} of ${planned.length} swaps compared`)
    told = Math.max(told, tenth)
  }
  return { attempts, skipped, unansweredPairs: unanswered }
}

/** At most `count` pools of each venue. */
function choosePools(found: readonly FoundPool[], count: number): readonly FoundPool[] {
  const counts = new Map<number, number>()
  return found.filter(({ venue }) => {
    const before = counts.get(venue) ?? 0
    counts.set(venue, before + 1)
    return before < count
  })
}

function problemOf({ problem, token }: TokenFacts): string | undefined {
  return problem && `${token}: ${problem}`
}

/** Swaps of each size in both directions. A converter pays what it does not hold, so that its sizes are parts of all there is of a token. Also and the directions in which there is nothing to sell a share of. */
async function planSwaps(
  rpc: Rpc,
  pools: readonly FoundPool[],
  {
    block,
    config,
    hints,
    sizes,
  }: { block: Hex; config: ChainConfig; hints: readonly Hint[]; sizes: readonly number[] },
): Promise<{ planned: readonly Swap[]; empty: readonly Omit<Swap, 'amountIn'>[] }> {
  const sides = pools.flatMap((pool) => {
    const [a, b] = pool.pair
    return [
      { pool, tokenIn: a, tokenOut: b },
      { pool, tokenIn: b, tokenOut: a },
    ]
  })
  const holders = new Map(hints.map(({ holder, pool }) => [pool, holder]))
  const reads = sides.map(({ pool, tokenIn }) => {
    if (isConverter(config.venues[pool.venue - 1]!)) return { token: tokenIn, holder: undefined }
    return { token: tokenIn, holder: holders.get(pool.pool) ?? holderOf(config, pool) }
  })
  const balances = await readBalances(rpc, reads, { block, wrapped: config.wrappedNative })
  const planned = sides.flatMap((side, index) => {
    const held = balances[index]!
    const amounts = sizes.map((size) => (held * BigInt(size)) / million)
    return [...new Set(amounts)]
      .filter((amountIn) => amountIn > 0n)
      .map((amountIn) => ({ ...side, amountIn }))
  })
  return { planned, empty: sides.filter((_, index) => balances[index] === 0n) }
}

/**
 * What holders have of tokens, or all there is of a token without a holder. Native coin counts as the wrapped token, which pools of
 * it are traded as.
 */
async function readBalances(
  rpc: Rpc,
  reads: readonly { readonly token: Address; readonly holder: Address | undefined }[],
  { block, wrapped }: { block: Hex; wrapped: Address },
): Promise<readonly bigint[]> {
  const tokens = await readChain(
    rpc,
    reads.map(({ holder, token: to }) => {
      if (holder === undefined) return { to, data: totalSupply }
      const functionName = 'balanceOf'
      return { to, data: encodeFunctionData({ abi: erc20Abi, functionName, args: [holder] }) }
    }),
    block,
  )
  const isOfNative = reads.map(
    ({ holder, token }) => holder !== undefined && isAddressEqual(token, wrapped),
  )
  const natives = await askEach<Hex>(
    rpc,
    reads
      .filter((_, index) => isOfNative[index])
      .map(({ holder }) => ['eth_getBalance', [holder, block]]),
  )
  const native = natives.values()
  return tokens.map((balance, index) => {
    const coins = isOfNative[index] ? native.next().value : undefined
    return BigInt(balance ?? 0) + BigInt(coins ?? 0)
  })
}

/** One contract may hold the tokens of all pools. */
function holderOf({ venues }: ChainConfig, { pool, venue }: FoundPool): Address {
  const { deployer, kind } = venues[venue - 1]!
  return VenueKind.has(kind, 'shared') && !VenueKind.has(kind, 'attested') ? deployer : pool
}

/** Gives the Trial twice the largest input of each token, and one base unit of each token that it buys: most recipients hold some. */
function withFunds(
  override: Override,
  group: readonly Swap[],
  facts: ReadonlyMap<Address, TokenFacts>,
): Override {
  const most = new Map<Address, bigint>()
  for (const { tokenOut } of group) most.set(tokenOut, 1n)
  for (const { amountIn, tokenIn } of group) {
    const before = most.get(tokenIn) ?? 0n
    most.set(tokenIn, before > 2n * amountIn ? before : 2n * amountIn)
  }
  const funds = [...most].map(([token, amount]) => {
    const held = { [facts.get(token)!.slot!]: numberToHex(amount, { size: 32 }) }
    return [token, { stateDiff: held }]
  })
  return { ...override, ...Object.fromEntries(funds) }
}
