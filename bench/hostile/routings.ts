import { uniswapV4Key } from '@sluice/deploy'
import { account, type ChainSpec, type PoolSpec, tokensOf } from '@sluice/devnet'
import type { Plan } from '@sluice/domain'
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
} from 'viem'
import { compileFixture } from '../gas/compileFixture.js'
import { tryCall } from '../lib/tryCall.js'
import type { Oracle, OracleMarket } from '../optimizer/Oracle.js'
import * as Random from '../optimizer/Random.js'
import { assetsOf } from './ask.js'
import type { Stage } from './Stage.js'

/** A pool with the data that a leg needs. */
export type Usable = { id: string; spec: PoolSpec; venue: number; pool: Address; key: bigint }
/** A swap of a share of the amount held at that moment. */
type Swap = { usable: Usable; from: string; to: string; part: number }

const WHOLE = 10n ** 18n
const GAS = numberToHex(60_000_000)
const MOST_PATHS = 4

/** Converts pools to the data of legs; listed pools must be in the order of the Hub. */
export function usableOf(
  spec: ChainSpec,
  venueIds: readonly string[],
  pools: readonly { id: string; spec: PoolSpec; address: Address }[],
): Usable[] {
  const listed = pools.filter((pool) => 'tokens' in pool.spec)
  return pools.map(({ address, id, spec: pool }) => ({
    id,
    spec: pool,
    venue: venueIds.indexOf(venueIdOf(spec, pool)) + 1,
    pool: address,
    key: keyOf(pool, listed.findIndex((other) => other.id === id) + 1),
  }))
}

/** Executes the oracle's best flow and returns its output; zero if there is none or it fails. */
export async function runOptimum(
  stage: Stage,
  oracle: Oracle,
  read: OracleMarket,
  usables: readonly Usable[],
): Promise<bigint> {
  const { amountIn, tokenIn, tokenOut } = stage.trade
  const { flows } = oracle.optimum(read, tokenIn, tokenOut, Number(amountIn))
  const held = new Map([[tokenIn, Number(amountIn)]])
  const order = (from: string, to: string) => (from === tokenIn ? 0 : to === tokenOut ? 2 : 1)
  const sorted = [...flows].sort((a, b) => order(a.from, a.to) - order(b.from, b.to))
  const swaps: Swap[] = []
  for (const flow of sorted) {
    const usable = usables.find(({ id }) => id === flow.pool)
    const edge = read.pair(flow.from, flow.to).find(({ pool }) => pool.id === flow.pool)
    const holding = held.get(flow.from) ?? 0
    if (!usable || !edge || !(flow.in > 0) || !(holding > 0)) continue
    const sold = Math.min(flow.in, holding)
    swaps.push({ usable, from: flow.from, to: flow.to, part: sold / holding })
    held.set(flow.from, holding - sold)
    held.set(flow.to, (held.get(flow.to) ?? 0) + edge.f.out(sold))
  }
  return await execute(stage, swaps)
}

/** Executes a random route of at most three hops and returns its output. Prefers the attacker's pools. */
export async function runRandom(
  stage: Stage,
  random: Random.Random,
  usables: readonly Usable[],
  tokens: readonly string[],
): Promise<bigint> {
  const free = new Set(usables)
  const legs: [Swap[], Swap[], Swap[]] = [[], [], []]
  const { tokenIn, tokenOut } = stage.trade
  const held = new Map([[tokenIn, 1]])
  const add = (stageOf: 0 | 1 | 2, usable: Usable, from: string, to: string, moved: number) => {
    free.delete(usable)
    legs[stageOf].push({ usable, from, to, part: moved })
  }
  const paths = 1 + Math.floor(random() * MOST_PATHS)
  for (let path = 0; path < paths; path++) {
    const between = tokens.filter((token) => token !== tokenIn && token !== tokenOut)
    const hops = 1 + Math.floor(random() * 3)
    const a = Random.pick(random, between)
    const b = Random.pick(
      random,
      between.filter((token) => token !== a),
    )
    const stops =
      hops === 1
        ? [tokenIn, tokenOut]
        : hops === 2
          ? [tokenIn, a, tokenOut]
          : [tokenIn, a, b, tokenOut]
    const found = stops.slice(1).map((to, hop) => pickPool(random, free, stops[hop]!, to))
    if (found.some((usable) => !usable)) continue
    const weight = random() ** 2
    found.forEach((usable, hop) => {
      const isLast = hop === found.length - 1
      add(hop === 0 ? 0 : isLast ? 2 : 1, usable!, stops[hop]!, stops[hop + 1]!, weight)
    })
  }
  // Converts weights to shares of the amount held at that moment, as if swaps kept the value.
  const all = legs.flat()
  const whole = legs[0].reduce((sum, { part }) => sum + part, 0)
  const swaps = all.map((leg) => {
    const moved = leg.part / whole
    const holding = held.get(leg.from) ?? 0
    held.set(leg.from, Math.max(0, holding - moved))
    held.set(leg.to, (held.get(leg.to) ?? 0) + moved)
    return { ...leg, part: holding > 0 ? Math.min(1, moved / holding) : 1 }
  })
  return await execute(stage, swaps)
}

function pickPool(
  random: Random.Random,
  free: ReadonlySet<Usable>,
  from: string,
  to: string,
): Usable | undefined {
  const fitting = [...free].filter(({ spec }) => {
    const own = tokensOf(spec).map(({ address }) => address as string)
    return own.includes(from) && own.includes(to)
  })
  if (fitting.length === 0) return undefined
  const hostile = fitting.filter(({ id }) => id.startsWith('attack'))
  return Random.pick(random, hostile.length > 0 && random() < 0.6 ? hostile : fitting)
}

/** Executes the swaps on the real pools and returns the output before fees; zero if they fail. */
async function execute(
  { grossRouter, standing, trade }: Stage,
  swaps: readonly Swap[],
): Promise<bigint> {
  const { amountIn, tokenIn, tokenOut } = assetsOf(trade)
  if (!swaps.some(({ to }) => to === tokenOut)) return 0n
  const legs = swaps.map(({ from, part, to, usable }, index): Plan.Leg => {
    const isLast = swaps.findLastIndex((other) => other.from === from) === index
    const share = isLast ? WHOLE : BigInt(Math.floor(part * 1e18))
    const { key, pool, venue } = usable
    return { venue, pool, tokenIn: from as Address, tokenOut: to as Address, key, share }
  })
  const route = { tokenIn, tokenOut, amountIn, grossOut: 1n, impactBps: 0n, legs }
  const { abi } = fixture()
  const data = encodeFunctionData({ abi, functionName: 'deliver', args: [route] })
  const call = { from: account.address, to: grossRouter, data, gas: GAS }
  const called = await tryCall(standing.rpc, call)
  if (!called.ok) return 0n
  return decodeFunctionResult({ abi, functionName: 'deliver', data: called.data }) as bigint
}

let compiled: { abi: Abi; bytecode: Hex } | undefined
/** Returns the compiled fixture. Compiles it only once, because that takes seconds. */
export function fixture() {
  compiled ??= compileFixture('GrossRouter')
  return compiled
}

function venueIdOf(spec: ChainSpec, pool: PoolSpec): string {
  switch (pool.kind) {
    case 'uniswapV2':
      return 'uniswap-v2'
    case 'uniswapV3':
      return 'uniswap-v3'
    case 'uniswapV4':
      return 'uniswap-v4'
    case 'pancakeV3':
      return 'pancakeswap-v3'
    case 'slipstream':
      return spec.slipstream!.id
    case 'solidly':
      return spec.solidly!.id
    case 'algebra':
      return 'algebra-integral'
    case 'curve':
      return 'curve'
    case 'balancerWeighted':
      return 'balancer-v2-weighted'
    case 'balancerStable':
      return 'balancer-v2-stable'
  }
}

function keyOf(pool: PoolSpec, number: number): bigint {
  switch (pool.kind) {
    case 'uniswapV2':
    case 'algebra':
      return 0n
    case 'uniswapV3':
    case 'pancakeV3':
      return BigInt(pool.feePips)
    case 'slipstream':
      return BigInt(pool.tickSpacing)
    case 'solidly':
      return pool.stable ? 1n : 0n
    case 'uniswapV4':
      return uniswapV4Key({ fee: pool.feePips, tickSpacing: pool.tickSpacing, native: pool.native })
    default: {
      const places = pool.tokens
        .map(({ address }, at) => ({ address: address.toLowerCase(), at }))
        .sort((a, b) => (a.address < b.address ? -1 : 1))
        .map(({ at }) => BigInt(at))
      return (BigInt(number) << 8n) | (places[0]! << 4n) | places[1]!
    }
  }
}
