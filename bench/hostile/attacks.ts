import type { TokenSpec } from '@sluice/devnet'
import { getAddress, keccak256, toBytes } from 'viem'
import * as Random from '../optimizer/Random.js'
import type { Attack, Draw, Lie, Pair, Scene } from './Attack.js'
import {
  type ConcentratedSlot,
  concentrated,
  fairTick,
  isConcentrated,
  type OpenPool,
  type Part,
  reserves,
  type Slot,
  slotsOf,
  takenBy,
} from './craft.js'
import { type HookKind, hookKindNames, hookKinds } from './hookAttacks.js'

/** Smallest pool of an attack, in US dollars. */
const DUST = 1e-4
const FAR = 400_000

/** Every known kind of attack on a quote, by name. */
const kinds = {
  /** Dust at any price. */
  dust: (draw) => pools(some(draw, 4).map((pair) => drawDust(draw, pair, Math.min(draw.usd, 10)))),
  /** The whole budget at an absurd price. */
  absurd: (draw) => pools(some(draw, 2).map((pair) => drawDust(draw, pair, draw.usd))),
  /** Dust above the market price, then nothing, then real liquidity below the market price. */
  gap: (draw) => pools([drawGap(draw, direct(draw))]),
  gapMiddle: (draw) => pools(some(draw, 2).map((pair) => drawHole(draw, pair))),
  islands: (draw) => pools(some(draw, 2).map((pair) => drawIslands(draw, pair))),
  oneSided: (draw) => pools(some(draw, 3).map((pair) => drawOneSided(draw, pair))),
  empty: (draw) => pools(drawEmpty(draw, pairsInPlay(draw.scene))),
  /** Many ticks with dust at each. */
  ticks: (draw) => pools(some(draw, 2).map((pair) => drawTicks(draw, pair))),
  /** Manipulates the price of gas in the output token and in the input token. */
  gasPrice: (draw) =>
    pools(gasPairs(draw.scene).flatMap((pair) => [drawDust(draw, pair, Math.min(draw.usd, 10))])),
  /** Honest depth near the market. */
  real: (draw) => pools(some(draw, 2).map((pair) => drawNear(draw, pair))),
  decoyTokens: (draw) => drawTokens(draw, ['plain'], 'near'),
  dustTokens: (draw) => drawTokens(draw, ['plain'], 'dust'),
  emptyTokens: (draw) => drawTokens(draw, ['plain'], 'empty'),
  lyingTokens: (draw) => drawTokens(draw, ['taxed', 'paused', 'burnsGas', 'hugeReturn'], 'near'),
} as const satisfies Record<string, (draw: Draw) => Attack>
type PlainKind = keyof typeof kinds
export type Kind = PlainKind | 'mixed' | HookKind
/** Kinds without hooks. */
export const plainKindNames: readonly Kind[] = [...(Object.keys(kinds) as PlainKind[]), 'mixed']
export const kindNames: readonly Kind[] = [...plainKindNames, ...hookKindNames]

/** Draws the attack of an attacker with a budget. The seed determines everything. */
export function drawAttack(kind: Kind, given: Omit<Draw, 'pairs'>): Attack {
  const draw: Draw = { ...given, pairs: (most) => some(given, most) }
  if (isHookKind(kind)) return hookKinds[kind](draw)
  if (kind !== 'mixed') return withoutRepeats(kinds[kind](draw))
  const names = Array.from({ length: 3 }, () => Random.pick(draw.random, Object.keys(kinds)))
  const parts = names.map((name) =>
    kinds[name as keyof typeof kinds]({ ...draw, usd: draw.usd / names.length }),
  )
  return withoutRepeats({
    pools: parts.flatMap((part) => part.pools),
    tokens: parts.flatMap((part) => part.tokens).slice(0, 4),
    hooked: [],
  })
}

function isHookKind(kind: Kind): kind is HookKind {
  return kind in hookKinds
}

function drawDust(draw: Draw, pair: Pair, most: number): OpenPool | undefined {
  const { random } = draw
  const slot = slotFor(draw, pair)
  if (!slot) return undefined
  const off = signed(random) * Random.between(random, 100, FAR)
  const usd = Math.min(most, Random.between(random, DUST, Math.max(most, 2 * DUST)))
  if (!isConcentrated(slot)) return reserves(slot, { off, usd })
  const at = fairTick(slot) + off
  const width = random() < 0.5 ? 2 * FAR : slot.tickSpacing
  return concentrated(slot, { at, parts: [{ from: at - width, to: at + width, usd }] })
}

function drawGap(draw: Draw, pair: Pair): OpenPool | undefined {
  const { random, usd } = draw
  const slot = concentratedSlot(draw, pair)
  if (!slot) return undefined
  const better = sideOf(slot, pair)
  const at = fairTick(slot) + better * Random.between(random, 20, FAR)
  const near = fairTick(slot) - better * Random.between(random, 1, 600)
  const width = slot.tickSpacing * Random.between(random, 1, 40)
  const dust = { from: at - slot.tickSpacing, to: at + slot.tickSpacing, usd: 1e-6 }
  const behind = { from: near, to: near - better * width, usd: Math.max(usd - 1e-6, 1e-6) }
  return concentrated(slot, { at, parts: [...(random() < 0.8 ? [dust] : []), behind] })
}

/** Draws a pool with liquidity on both sides of its price, and none at the price. */
function drawHole(draw: Draw, pair: Pair): OpenPool | undefined {
  const { random, usd } = draw
  const slot = concentratedSlot(draw, pair)
  if (!slot) return undefined
  const at = fairTick(slot) + signed(random) * Random.between(random, 1, 200)
  const inner = slot.tickSpacing * Random.between(random, 1, 40)
  const outer = inner + slot.tickSpacing * Random.between(random, 1, 80)
  const side = (sign: number): Part => ({
    from: at + sign * inner,
    to: at + sign * outer,
    usd: usd / 2,
  })
  return concentrated(slot, { at, parts: [side(1), side(-1)] })
}

function drawIslands(draw: Draw, pair: Pair): OpenPool | undefined {
  const { random, usd } = draw
  const slot = concentratedSlot(draw, pair)
  if (!slot) return undefined
  const at = fairTick(slot) + signed(random) * Random.between(random, 1, 2_000)
  const step = Random.between(random, 2 * slot.tickSpacing, 40_000)
  const count = 1 + Math.floor(random() * 6)
  const parts = Array.from({ length: count }, (_, k): Part => {
    const from = at + signed(random) * step * (k + random())
    return { from, to: from + slot.tickSpacing * Random.between(random, 1, 10), usd: usd / count }
  })
  return concentrated(slot, { at, parts })
}

function drawOneSided(draw: Draw, pair: Pair): OpenPool | undefined {
  const { random, usd } = draw
  const slot = concentratedSlot(draw, pair)
  if (!slot) return undefined
  const at = fairTick(slot) + signed(random) * Random.between(random, 1, 60_000)
  const from = at + signed(random) * slot.tickSpacing * Random.between(random, 1, 300)
  const to = from + Math.sign(from - at) * slot.tickSpacing * Random.between(random, 1, 2_000)
  return concentrated(slot, { at, parts: [{ from, to, usd }] })
}

/** Draws initialized pools without liquidity, as many as the budget pays gas for. */
function drawEmpty(draw: Draw, pairs: readonly Pair[]): (OpenPool | undefined)[] {
  const { random, scene, usd } = draw
  const most = usd < 100 ? 12 : usd < 10_000 ? 60 : 140
  const all = pairs.flatMap((pair) =>
    slotsOf(random, scene.spec, pair, scene.taken).filter(isConcentrated),
  )
  return all.slice(0, most).map((slot) =>
    concentrated(slot, {
      at: fairTick(slot) + (random() < 0.5 ? 0 : signed(random) * Random.between(random, 1, FAR)),
      parts: [],
    }),
  )
}

function drawTicks(draw: Draw, pair: Pair): OpenPool | undefined {
  const { random, usd } = draw
  const slots = slotsOf(random, draw.scene.spec, pair, draw.scene.taken).filter(isConcentrated)
  const [slot] = slots.sort((a, b) => a.tickSpacing - b.tickSpacing)
  if (!slot) return undefined
  const at = fairTick(slot) + sideOf(slot, pair) * Random.between(random, 1, 400)
  const count = usd < 100 ? 60 : 250
  const parts = Array.from({ length: count }, (_, k): Part => {
    const from = at + (k - count / 2) * 2 * slot.tickSpacing
    return { from, to: from + slot.tickSpacing, usd: (Math.min(usd, 1_000) / count) * random() }
  })
  return concentrated(slot, { at, parts })
}

function drawNear(draw: Draw, pair: Pair): OpenPool | undefined {
  const { random, usd } = draw
  const slot = slotFor(draw, pair)
  if (!slot) return undefined
  const off = signed(random) * Random.between(random, 1, 200)
  if (!isConcentrated(slot)) return reserves(slot, { off, usd })
  const at = fairTick(slot) + off
  const width = slot.tickSpacing * Random.between(random, 2, 200)
  return concentrated(slot, { at, parts: [{ from: at - width, to: at + width, usd }] })
}

/** Draws the attacker's own tokens, with pools to the input token, the output token and connector tokens. */
function drawTokens(
  draw: Draw,
  behaviours: readonly Lie[],
  fill: 'near' | 'dust' | 'empty',
): Attack {
  const { random, scene, usd } = draw
  const count = fill === 'near' ? 1 + Math.floor(random() * 3) : 4
  const tokens = Array.from({ length: count }, () => ({
    spec: ownToken(random),
    lie: Random.pick(random, behaviours),
  }))
  const made = tokens.flatMap(({ spec }): (OpenPool | undefined)[] => {
    const ends: Pair[] = [
      [scene.tokenIn, spec],
      [spec, scene.tokenOut],
    ]
    const own = { ...draw, usd: usd / (2 * count) }
    if (fill === 'near') return ends.map((pair) => drawNear(own, pair))
    const more = scene.connectors.map((token): Pair => [token, spec])
    if (fill === 'dust')
      return [...ends, ...more].map((pair) => drawDust(own, pair, Math.min(own.usd, 1)))
    return drawEmpty({ ...draw, usd: usd / count }, [...ends, ...more])
  })
  return { ...pools(made), tokens }
}

function ownToken(random: Random.Random): TokenSpec {
  const digest = keccak256(toBytes(`attacker ${random()}`))
  const symbol = `X${digest.slice(2, 8)}`
  return {
    symbol,
    address: getAddress(`0x${digest.slice(-40)}`),
    decimals: random() < 0.5 ? 18 : 6,
    usd: 1,
  }
}

/** Returns the trade's pair, pairs of its tokens with connector tokens, and pairs of connector tokens. */
function pairsInPlay({ connectors, tokenIn, tokenOut }: Scene): Pair[] {
  const between = connectors.filter((token) => token !== tokenIn && token !== tokenOut)
  return [
    [tokenIn, tokenOut],
    ...between.map((token): Pair => [tokenIn, token]),
    ...between.map((token): Pair => [token, tokenOut]),
    ...between.flatMap((a) => between.filter((b) => b !== a).map((b): Pair => [a, b])),
  ]
}

function gasPairs({ connectors, spec, tokenIn, tokenOut }: Scene): Pair[] {
  const native = connectors.find(({ address }) => address === spec.wrappedNative)
  if (!native) return []
  return [tokenIn, tokenOut]
    .filter((token) => token !== native)
    .map((token): Pair => [native, token])
}

function direct({ scene }: Pick<Draw, 'scene'>): Pair {
  return [scene.tokenIn, scene.tokenOut]
}

/** Picks up to `most` pairs in play, always with the trade's own pair. */
function some(draw: Omit<Draw, 'pairs'>, most: number): Pair[] {
  const count = Math.floor(draw.random() * most)
  const all = pairsInPlay(draw.scene)
  return [direct(draw), ...Array.from({ length: count }, () => Random.pick(draw.random, all))]
}

function slotFor({ random, scene }: Draw, pair: Pair): Slot | undefined {
  return slotsOf(random, scene.spec, pair, scene.taken)[0]
}

function concentratedSlot({ random, scene }: Draw, pair: Pair): ConcentratedSlot | undefined {
  return slotsOf(random, scene.spec, pair, scene.taken).find(isConcentrated)
}

/** Direction of better prices for a seller of the pair's first token: up if it is the pool's token0. */
function sideOf({ token0 }: Slot, [from]: Pair): 1 | -1 {
  return token0 === from ? 1 : -1
}

function signed(random: Random.Random): 1 | -1 {
  return random() < 0.5 ? 1 : -1
}

function pools(drawn: readonly (OpenPool | undefined)[]): Attack {
  return { pools: drawn.filter((pool) => pool !== undefined), tokens: [], hooked: [] }
}

function withoutRepeats({ pools, ...rest }: Attack): Attack {
  const own = new Map(pools.map((pool) => [takenBy(pool), pool]))
  return { ...rest, pools: [...own.values()] }
}
