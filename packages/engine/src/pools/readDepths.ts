import {
  type Address,
  concat,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  toFunctionSelector,
  toHex,
} from 'viem'
import type { LensAnswer } from '../lens/askLens.js'
import type { LensAsk } from '../lens/lensCall.js'
import type { AskNode } from '../logs/AskNode.js'
import type { IndexedPool, PoolShape } from './poolEvents.js'
import { readMany } from './readMany.js'

/**
 * Approximate depth of a pool: reserves of a constant product pool with the same price and depth, and the maximum
 * output of each token. Floats are enough: depths select what is quoted and never enter a quote.
 */
export type Depth = {
  /** In lower case. */
  readonly token0: Address
  readonly token1: Address
  readonly reserve0: number
  readonly reserve1: number
  readonly most0: number
  readonly most1: number
  /** Part of the input that remains after the fee. */
  readonly afterFee: number
  /** What it holds of each token, if that is not its maximum output. */
  readonly held0?: number | undefined
  readonly held1?: number | undefined
  /** Set if the maximum outputs follow from price and liquidity, because one contract keeps the tokens of many pools. */
  readonly isEstimate?: true | undefined
  /** Set for a pool that an adapter may find by its id alone. */
  readonly named?: NamedPool | undefined
}

/** The name of a pool that is no contract; both in lower case. */
export type NamedPool = {
  readonly id: Hex
  /** The contract that keeps the pool. */
  readonly manager: Address
}

/** Pools in one call. Each takes at most four reads, and together they fit into any node's gas cap. */
const poolsPerCall = 60
/** Gas limit of each read. */
const gasEach = 60_000n

/**
 * Reads the depths of pools with the Lens, many in each call. A failing pool does not affect the others.
 *
 * @returns The depths that could be read. Pools that are empty or fail are left out.
 * @throws if the node does not answer a call.
 */
export async function readDepths(
  ask: AskNode,
  pools: readonly IndexedPool[],
): Promise<readonly Depth[]> {
  const depths: Depth[] = []
  for (let first = 0; first < pools.length; first += poolsPerCall) {
    const part = pools.slice(first, first + poolsPerCall)
    const read = await readMany(ask, part.map(asksOf), gasEach)
    const priced = await priceStable(ask, part, read)
    for (const [index, pool] of part.entries())
      depths.push(...depthOf(pool, read[index]!, priced.get(index)))
  }
  return depths
}

const selectors = {
  reserves: toFunctionSelector('getReserves()'),
  slot0: toFunctionSelector('slot0()'),
  globalState: toFunctionSelector('globalState()'),
  liquidity: toFunctionSelector('liquidity()'),
  balanceOf: toFunctionSelector('balanceOf(address)'),
  amountOut: toFunctionSelector('getAmountOut(uint256,address)'),
  extsload: toFunctionSelector('extsload(bytes32)'),
  slot0Of: toFunctionSelector('getSlot0(bytes32)'),
  liquidityOf: toFunctionSelector('getLiquidity(bytes32)'),
}

function asksOf({ factory, pool, shape, token0, token1 }: IndexedPool): readonly LensAsk[] {
  if (shape === 'reserves' || shape === 'stableReserves')
    return [{ to: pool, data: selectors.reserves }]
  if (shape === 'infinity')
    return [selectors.slot0Of, selectors.liquidityOf].map((selector) => ({
      to: factory,
      data: concat([selector, pool]),
    }))
  if (shape === 'singleton' || shape === 'hooked' || shape === 'customCurve') {
    const [price, liquidity] = singletonSlots(pool)
    return [price, liquidity].map((slot) => ({
      to: factory,
      data: concat([selectors.extsload, slot]),
    }))
  }
  const price = shape === 'algebra' ? selectors.globalState : selectors.slot0
  const balance = concat([selectors.balanceOf, pad(pool)])
  return [
    { to: pool, data: price },
    { to: pool, data: selectors.liquidity },
    { to: token0, data: balance },
    { to: token1, data: balance },
  ]
}

/** Storage slots of a pool's price and liquidity in Uniswap V4's PoolManager. */
function singletonSlots(id: Hex): readonly [price: Hex, liquidity: Hex] {
  const types = [{ type: 'bytes32' }, { type: 'uint256' }] as const
  const start = BigInt(keccak256(encodeAbiParameters(types, [id, poolsSlot])))
  return [toHex(start, { size: 32 }), toHex((start + liquidityOffset) % 2n ** 256n, { size: 32 })]
}

const poolsSlot = 6n
const liquidityOffset = 3n

/** Divisor of the reserve that is sold to learn a stable pool's price, which its reserves do not show. */
const probedPart = 1_000n
/** Factor by which a stable pool is deeper near its price than its reserves. */
const stableDepth = 40

/** Quotes the sale of a thousandth of the first reserve; results by the pool's index. */
async function priceStable(
  ask: AskNode,
  pools: readonly IndexedPool[],
  read: readonly (readonly LensAnswer[])[],
): Promise<ReadonlyMap<number, number>> {
  const asks = pools.map(({ pool, shape, token0 }, index) => {
    const [reserves] = read[index]!
    const sold = reserves?.ok ? BigInt(reserves.words[0]) / probedPart : 0n
    if (shape !== 'stableReserves' || sold === 0n) return []
    const amount = numberToHex(sold, { size: 32 })
    return [{ to: pool, data: concat([selectors.amountOut, amount, pad(token0)]) }]
  })
  const answers = await readMany(ask, asks, gasEach)
  return new Map(
    answers.flatMap(([answer], index) => (answer?.ok ? [[index, wordOf(answer)]] : [])),
  )
}

type Reader = (
  answers: readonly LensAnswer[],
  probedOut: number,
) => Pick<Depth, 'reserve0' | 'reserve1' | 'most0' | 'most1'>

const readers: Readonly<Record<PoolShape, Reader>> = {
  reserves([reserves]) {
    const [reserve0, reserve1] = [wordOf(reserves!), wordOf(reserves!, 1)]
    return { reserve0, reserve1, most0: reserve0, most1: reserve1 }
  },
  stableReserves([reserves], probedOut) {
    const [most0, most1] = [wordOf(reserves!), wordOf(reserves!, 1)]
    const price = probedOut / (most0 / Number(probedPart))
    const reserve0 = stableDepth * most0
    return { reserve0, reserve1: reserve0 * price, most0, most1 }
  },
  range: fromRange,
  algebra: fromRange,
  singleton: fromSingleton,
  hooked: fromSingleton,
  // What the PoolManager has. What its hooks have is not in the chain's state in any common form.
  customCurve: fromSingleton,
  infinity: fromSingleton,
}

/** Share of the virtual reserves that a pool holds if its liquidity spans a tenth of the price in both directions. */
const heldPart = 0.05

const maxPrice = 2n ** 160n - 1n

function fromRange([price, liquidity, balance0, balance1]: readonly LensAnswer[]) {
  const virtual = fromLiquidity(wordOf(price!), wordOf(liquidity!))
  return { ...virtual, most0: wordOf(balance0!), most1: wordOf(balance1!) }
}

/** All pools share one contract, so the balance of one pool cannot be read. */
function fromSingleton([price, liquidity]: readonly LensAnswer[]) {
  const sqrtPriceX96 = Number(BigInt(price!.words[0]) & maxPrice)
  const virtual = fromLiquidity(sqrtPriceX96, lowerHalf(liquidity!))
  const { reserve0, reserve1 } = virtual
  return { ...virtual, most0: heldPart * reserve0, most1: heldPart * reserve1 }
}

function fromLiquidity(sqrtPriceX96: number, liquidity: number) {
  const sqrtPrice = sqrtPriceX96 / 2 ** 96
  const [reserve0, reserve1] = [liquidity / sqrtPrice, liquidity * sqrtPrice]
  return { reserve0, reserve1, most0: reserve0, most1: reserve1 }
}

function depthOf(
  { factory, feePips, pool, shape, token0, token1 }: IndexedPool,
  answers: readonly LensAnswer[],
  probedOut = 0,
): readonly Depth[] {
  if (answers.some(({ ok, size }) => !ok || size < 32n)) return []
  const depth = readers[shape](answers, probedOut)
  if (!Object.values(depth).every((each) => Number.isFinite(each) && each > 0)) return []
  const isNamed = shape === 'hooked' || shape === 'infinity' || shape === 'customCurve'
  const named = isNamed && { named: { id: pool, manager: factory } }
  const estimate = (isNamed || shape === 'singleton') && { isEstimate: true as const }
  return [{ token0, token1, ...depth, afterFee: 1 - feePips / 1e6, ...estimate, ...named }]
}

function wordOf({ words }: LensAnswer, place: 0 | 1 = 0): number {
  return Number(BigInt(words[place]))
}

/** Masks to 128 bits: nothing else is in that word, but a node may return anything. */
function lowerHalf({ words }: LensAnswer): number {
  return Number(BigInt(words[0]) & (2n ** 128n - 1n))
}
