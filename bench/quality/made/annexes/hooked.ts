import type { Rpc } from '@sluice/deploy'
import {
  type Annex,
  account,
  type ChainSpec,
  createHookedPool,
  dynamicFee,
  fund,
  type HookedSpec,
  hookedPool,
  installHooked,
  positionManager,
  type Range,
  rounded,
  sendInOneBlock,
  sqrtPriceX96,
  type TokenSpec,
} from '@sluice/devnet'
import { type Address, numberToHex, zeroAddress } from 'viem'
import type { OracleEdge } from '../../../optimizer/Oracle.js'
import * as Random from '../../../optimizer/Random.js'
import { amountsOf, canStand, MOST_TICK, nestedAround, pairOf } from '../drawPools.js'
import { concentrated } from '../oracleOf.js'
import type { AddedPool, Annexed } from './Annex.js'
import { flags, type HookFixture, hookAddress, installHook, needOf } from './hooks.js'
import { scaledCurve } from './scaledCurve.js'

/** Number of pools with hooks, which is the maximum number of pool hints in a call. */
const POOLS = 8
/** Id of the venue. */
export const HOOKS_VENUE = 'hooks'
const PIPS = 1e6
/** Parts that the hooks of the fixtures keep or add. */
const [FEE_PART, BONUS_PART] = [1 / 500, 1 / 1000]
/** Depth of the V4 position of a pool whose hook keeps the liquidity, relative to what the hook has. */
const TOKEN_POSITION = 1e-3
const RICH = numberToHex(10n ** 33n)

/** A kind of hook: its fixture, when it is called, and what it makes of the pool's curve. */
type Sort = {
  fixture: HookFixture
  flags: number
  /** Fee of the pool's key, and the fee that its swaps pay in all, in pips. */
  fees: (random: Random.Random) => { key: number; paid: number }
  curveOf?: (edge: OracleEdge) => OracleEdge['f']
}

const usualFees = [500, 3000]
const sameFee = (random: Random.Random) => {
  const key = Random.pick(random, usualFees)
  return { key, paid: key }
}
const sorts: readonly Sort[] = [
  {
    fixture: 'ChosenFeeHook',
    flags: flags.beforeSwap,
    fees: (random) => ({ key: dynamicFee, paid: Math.floor(Random.between(random, 50, 10_000)) }),
  },
  {
    fixture: 'InputFeeHook',
    flags: flags.beforeSwap | flags.beforeSwapDelta,
    fees: (random) => {
      const key = Random.pick(random, usualFees)
      return { key, paid: PIPS * (1 - (1 - FEE_PART) * (1 - key / PIPS)) }
    },
  },
  {
    fixture: 'OutputFeeHook',
    flags: flags.afterSwap | flags.afterSwapDelta,
    fees: sameFee,
    curveOf: ({ f }) => scaledCurve(f, 1 - FEE_PART),
  },
  {
    fixture: 'BonusHook',
    flags: flags.afterSwap | flags.afterSwapDelta,
    fees: sameFee,
    curveOf: ({ f }) => scaledCurve(f, 1 + BONUS_PART),
  },
  { fixture: 'AntiSandwichHook', flags: flags.afterSwap | flags.afterSwapDelta, fees: sameFee },
  {
    fixture: 'CurveHook',
    flags: flags.beforeSwap | flags.beforeSwapDelta,
    fees: () => ({ key: 0, paid: 0 }),
  },
]

/** A drawn pool: where its hook stands, and what the hook and the PositionManager must hold. */
type Drawn = {
  sort: Sort
  tokens: readonly [TokenSpec, TokenSpec]
  paid: number
  spec: HookedSpec
  /** Amounts of its currencies, of which a hook with a curve of its own has all. */
  amounts: readonly [bigint, bigint]
}

/**
 * Adds pools of Uniswap V4 with hooks: fees that hooks choose, on the input and on the output, a bonus, one that stops
 * sandwiches, and a curve of the hook's own. Half of them have one position at all prices, half nested ones, and some are of
 * the native currency.
 */
export function addHooked(
  random: Random.Random,
  spec: ChainSpec,
): Pick<Annexed, 'added' | 'annex'> {
  const drawn: Drawn[] = []
  while (drawn.length < POOLS) {
    const pool = drawHooked(random, spec, drawn.length)
    const { feePips, tickSpacing } = { feePips: 0, tickSpacing: pool.spec.key.tickSpacing }
    const [token0, token1] = pool.tokens
    const { ranges, sqrtPriceX96: price } = pool.spec
    const sized = { ...({ kind: 'uniswapV4', native: false } as const), feePips, tickSpacing }
    if (canStand({ ...sized, token0, token1, sqrtPriceX96: price, ranges })) drawn.push(pool)
  }
  return {
    added: drawn.map(addedPool),
    annex: async (rpc) => {
      const venues = await hooksVenue(spec)(rpc)
      await rpc.request('hardhat_setBalance', [positionManager, RICH])
      for (const pool of drawn) await seedPool(rpc, spec, pool)
      return venues
    },
  }
}

/** The venue of pools with hooks, without any pool. */
export function hooksVenue(spec: ChainSpec): Annex {
  return async (rpc) => {
    await installHooked(rpc, spec, account.address)
    const registry = { adapter: 'uniswapV4Hooks', factory: positionManager }
    return [{ id: HOOKS_VENUE, kind: 'adapter', ...registry }]
  }
}

function drawHooked(random: Random.Random, spec: ChainSpec, number: number): Drawn {
  const sort = sorts[number % sorts.length]!
  const weth = spec.tokens.find(({ symbol }) => symbol === 'WETH')!
  const pair = pairOf(random, spec.tokens)
  const other = pair[0] === weth ? pair[1] : pair[0]
  const isNative = pair.includes(weth) && random() < 0.5
  // The native currency sorts before every token.
  const tokens = isNative ? ([weth, other] as const) : pair
  const amounts = amountsOf(random, tokens, [1, 1]) as [bigint, bigint]
  const [amount0, amount1] = amounts.map(Number) as [number, number]
  const { key, paid } = sort.fees(random)
  const tickSpacing = 60
  const price = amount1 / amount0
  const depth = Math.sqrt(amount0 * amount1)
  const hasOwnCurve = sort.fixture === 'CurveHook'
  const ranges =
    hasOwnCurve || random() < 0.5
      ? [everywhere(tickSpacing, hasOwnCurve ? depth * TOKEN_POSITION : depth)]
      : nestedAround(random, { price, depth, tickSpacing })
  return {
    sort,
    tokens,
    paid,
    amounts,
    spec: {
      key: {
        currency0: isNative ? zeroAddress : tokens[0].address,
        currency1: tokens[1].address,
        fee: key,
        tickSpacing,
        hooks: hookAddress(`${spec.name} ${number}`, sort.flags),
      },
      sqrtPriceX96: sqrtPriceX96(price),
      ranges,
    },
  }
}

function everywhere(tickSpacing: number, liquidity: number): Range {
  const last = Math.floor((MOST_TICK - 1) / tickSpacing) * tickSpacing
  return { tickLower: -last, tickUpper: last, liquidity: rounded(liquidity) }
}

function addedPool({ amounts, paid, sort, spec, tokens }: Drawn): AddedPool {
  const pool = hookedPool(spec)
  const [token0, token1] = [tokens[0].address, tokens[1].address]
  const common = { id: `hooked-${pool.slice(2, 10)}`, fee: paid, token0, token1 }
  return {
    id: common.id,
    venue: HOOKS_VENUE,
    pool,
    isHinted: true,
    seen:
      sort.fixture === 'CurveHook'
        ? { ...common, kind: 'v2', reserve0: `${amounts[0]}`, reserve1: `${amounts[1]}` }
        : { ...common, kind: 'v3', ...concentrated(spec) },
    ...(sort.curveOf && { curveOf: sort.curveOf }),
  }
}

/** Puts the hook where its flags are, gives it and the PositionManager what they pay, and creates the pool. */
async function seedPool(rpc: Rpc, chain: ChainSpec, pool: Drawn): Promise<void> {
  const { amounts, paid, sort, spec } = pool
  const { currency0, currency1, hooks } = spec.key
  const manager = chain.uniswapV4.address
  const args = sort.fixture === 'ChosenFeeHook' ? [manager, paid] : [manager]
  await installHook(rpc, { at: hooks, fixture: sort.fixture, args })
  const currencies = [currency0, currency1]
  const give = (to: Address, given: readonly bigint[]) => {
    const tokens = currencies.filter((currency) => currency !== zeroAddress)
    const own = given.filter((_, index) => currencies[index] !== zeroAddress)
    return fund(account.address, { tokens, to, amounts: own })
  }
  if (currency0 === zeroAddress)
    await rpc.request('hardhat_setBalance', [hooks, numberToHex(amounts[0])])
  await sendInOneBlock(rpc, [
    give(hooks, amounts),
    give(positionManager, needOf(spec)),
    ...createHookedPool(spec, { account: account.address, manager }),
  ])
}
