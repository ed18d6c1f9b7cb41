import type { TokenSpec } from '@sluice/devnet'
import { encodeFunctionData, keccak256, parseAbi, toBytes } from 'viem'
import * as Random from '../optimizer/Random.js'
import { flags, hookAddress } from '../quality/made/annexes/hooks.js'
import type { Attack, Draw, HostilePool, Pair, Targets } from './Attack.js'
import { concentrated, fairTick } from './craft.js'

type Hook = Omit<HostilePool['hook'], 'at' | 'isRich'> & { flags: number; isRich?: boolean }

/** Pools with hooks of an attack, and hints of a call, at most. */
const MOST_POOLS = 8
const FEE_PIPS = 500
const TICK_SPACING = 10
/** How far a pool's price may be better than the market's, in ticks. */
const MOST_LURE = 300
const FAR = 400_000
const ALL_GAS = 2n ** 255n
/** Gas within the limit of a quote, and between that and the limit of a fill. */
const [QUIET_GAS, LOUD_GAS] = [300_000n, 900_000n]
/** Gas that a quote has left after a swap at most. */
const QUOTE_GAS = 400_000n
const GARBAGE_WAYS = 6

const setCallAbi = parseAbi(['function setCall(address target, bytes data)'])
const targetsAbi = parseAbi([
  'function swap(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to) returns (uint256)',
  'function unlock(bytes data) returns (bytes)',
  'function previewPlan(address tokenIn, address tokenOut, uint256 amountIn)',
])

/** Every known kind of attack by a hook, by name. The pools are passed as pool hints. */
export const hookKinds = {
  /** Takes all gas, or much of it, in each swap. */
  burningHooks: (draw) =>
    attack(draw, 'lure', ({ random }) => ({
      fixture: 'BurningHook',
      flags: flags.beforeSwap,
      args: [Random.pick(random, [ALL_GAS, QUIET_GAS, LOUD_GAS])],
    })),
  /** Pays less in the swap than in the quote. */
  lyingHooks: (draw) =>
    attack(draw, 'lure', ({ random }) => ({
      ...(random() < 0.5
        ? { fixture: 'LyingHook', args: [] }
        : { fixture: 'GasLyingHook', args: [QUOTE_GAS] }),
      flags: flags.afterSwap | flags.afterSwapDelta,
    })),
  reentrantHooks: (draw) => attack(draw, 'lure', drawReentrant),
  /** Takes some sizes only, pays later, or answers with garbage. */
  refusingHooks: (draw) => attack(draw, 'lure', drawRefusing),
  /** Pays too much for small amounts. */
  baitingHooks: (draw) =>
    attack(draw, 'lure', ({ random, scene }, [from]) => ({
      fixture: 'BaitHook',
      flags: flags.afterSwap | flags.afterSwapDelta,
      args: [
        amountOf(from, scene.tradeUsd * Random.between(random, 1e-3, 1)),
        BigInt(Math.ceil(Random.between(random, 1.5, 1000))),
      ],
      isRich: true,
    })),
  absurdHooks: (draw) => attack(draw, 'absurd', plain),
  emptyHooks: (draw) => attack(draw, 'empty', plain),
} as const satisfies Record<string, (draw: Draw) => Attack>
export type HookKind = keyof typeof hookKinds
export const hookKindNames = Object.keys(hookKinds) as HookKind[]

function plain(): Hook {
  return { fixture: 'PlainHook', flags: flags.beforeSwap | flags.afterSwap, args: [] }
}

function drawReentrant({ random }: Draw, [from, to]: Pair): Hook {
  if (random() < 0.3) return { fixture: 'MeddlingHook', flags: flags.beforeSwap, args: [] }
  const calls = [
    ({ adapter }: Targets) => ({
      target: adapter,
      functionName: 'swap',
      args: [256n, from.address, to.address, 1n, adapter],
    }),
    ({ manager }: Targets) => ({ target: manager, functionName: 'unlock', args: ['0x'] }),
    ({ quoter }: Targets) => ({
      target: quoter,
      functionName: 'previewPlan',
      args: [from.address, to.address, 10n ** 12n],
    }),
  ] as const
  const call = Random.pick(random, calls)
  return {
    fixture: 'CallingHook',
    flags: flags.beforeSwap,
    args: [],
    setUp: (targets) => {
      const { target, ...rest } = call(targets)
      const data = encodeFunctionData({ abi: targetsAbi, ...rest } as never)
      return encodeFunctionData({ abi: setCallAbi, functionName: 'setCall', args: [target, data] })
    },
  }
}

function drawRefusing({ random, scene }: Draw, [from]: Pair): Hook {
  const way = random()
  if (way < 0.5) {
    const least = amountOf(from, scene.tradeUsd * Random.between(random, 1e-4, 1))
    const args = [least, least * BigInt(Math.ceil(Random.between(random, 1, 100)))]
    return { fixture: 'PickyHook', flags: flags.beforeSwap, args }
  }
  if (way < 0.7)
    return { fixture: 'AsyncHook', flags: flags.beforeSwap | flags.beforeSwapDelta, args: [] }
  const args = [Math.floor(random() * GARBAGE_WAYS)]
  return { fixture: 'GarbageHook', flags: flags.beforeSwap, args }
}

/** Draws pools of pairs in play. The pair of the trade is always among them. */
function attack(
  draw: Draw,
  price: 'lure' | 'absurd' | 'empty',
  drawHook: (draw: Draw, pair: Pair) => Hook,
): Attack {
  const { random, usd } = draw
  const pairs = draw.pairs(MOST_POOLS)
  const hooked = pairs.flatMap((pair): HostilePool[] => {
    const { flags: own, isRich = false, ...hook } = drawHook(draw, pair)
    const pool = drawPool(draw, pair, { price, usd: usd / pairs.length })
    const at = hookAddress(keccak256(toBytes(`hook ${random()}`)), own)
    return pool ? [{ hook: { ...hook, at, isRich }, pool }] : []
  })
  return { pools: [], tokens: [], hooked }
}

function drawPool(
  { random }: Draw,
  [from, to]: Pair,
  { price, usd }: { price: 'lure' | 'absurd' | 'empty'; usd: number },
): HostilePool['pool'] | undefined {
  const isFirst = from.address.toLowerCase() < to.address.toLowerCase()
  const [token0, token1] = isFirst ? [from, to] : [to, from]
  const sort = { kind: 'uniswapV4', native: false, feePips: FEE_PIPS, tickSpacing: TICK_SPACING }
  const slot = { ...sort, token0, token1 } as Parameters<typeof concentrated>[0]
  const sign = random() < 0.5 ? -1 : 1
  const off =
    price === 'absurd'
      ? sign * Random.between(random, 100, FAR)
      : (isFirst ? 1 : -1) * Random.between(random, 1, MOST_LURE)
  const at = fairTick(slot) + off
  const width = TICK_SPACING * Random.between(random, 2, 2_000)
  const parts = price === 'empty' ? [] : [{ from: at - width, to: at + width, usd }]
  return concentrated(slot, { at, parts }) as HostilePool['pool'] | undefined
}

function amountOf({ decimals, usd }: TokenSpec, worth: number): bigint {
  return BigInt(Math.max(1, Math.floor((worth / usd) * 10 ** decimals)))
}
