import type { VenueKind } from '@sluice/domain'
import { type Address, type Hex, toEventSelector } from 'viem'
import type { Log } from '../logs/Log.js'

/**
 * How a pool's depth is read: from its reserves (constant product or stable), from its price and liquidity (Uniswap V3
 * or Algebra names), or from the contract that keeps all pools of its kind (Uniswap V4 without and with hooks, and
 * PancakeSwap Infinity). Hooks of a custom curve may set what swaps pay, out of reserves of their own: only swaps tell those.
 *
 * The store keeps the place of a shape, so that new ones go to the end.
 */
export const poolShapes = [
  ...(['reserves', 'stableReserves', 'range', 'algebra', 'singleton'] as const),
  ...(['hooked', 'infinity', 'customCurve'] as const),
] as const
export type PoolShape = (typeof poolShapes)[number]

/** A pool as announced by its factory's event; addresses in lower case. */
export type IndexedPool = {
  /** Address, or the 32-byte id on Uniswap V4 and PancakeSwap Infinity. */
  readonly pool: Hex
  readonly token0: Address
  readonly token1: Address
  readonly blockNumber: number
  /** The contract that emitted the event. */
  readonly factory: Address
  readonly shape: PoolShape
  /** Swap fee in pips (1/1,000,000). */
  readonly feePips: number
}

type Reader = {
  readonly topic: Hex
  readonly read: (log: Log) => Hex
  /** Index of the topic with the first token; the second token follows. @default 1 */
  readonly at?: number
  /** Whether a venue can trade the pool. @default always */
  readonly isTraded?: (log: Log) => boolean
  readonly shape: (log: Log) => PoolShape
  /** Fee in pips; a typical one if the event does not contain it. */
  readonly fee: (log: Log) => number
}

/** The event with which each venue kind announces a pool. Both tokens are indexed and adjacent. */
const byKind: Readonly<Record<VenueKind.With<'derived'>, Reader>> = {
  uniswapV2: {
    topic: toEventSelector('PairCreated(address,address,address,uint256)'),
    read: ({ data }) => addressAt(data, 0),
    shape: () => 'reserves',
    fee: () => 3_000,
  },
  uniswapV3: {
    topic: toEventSelector('PoolCreated(address,address,uint24,int24,address)'),
    read: ({ data }) => addressAt(data, 1),
    shape: () => 'range',
    fee: ({ topics }) => numberOf(topics[3]),
  },
  slipstream: {
    topic: toEventSelector('PoolCreated(address,address,int24,address)'),
    read: ({ data }) => addressAt(data, 0),
    shape: () => 'range',
    fee: () => 500,
  },
  // Each pair can have a volatile and a stable pool.
  solidly: {
    topic: toEventSelector('PoolCreated(address,address,bool,address,uint256)'),
    read: ({ data }) => addressAt(data, 0),
    shape: ({ topics }) => (numberOf(topics[3]) === 1 ? 'stableReserves' : 'reserves'),
    fee: ({ topics }) => (numberOf(topics[3]) === 1 ? 500 : 3_000),
  },
  algebra: {
    topic: toEventSelector('Pool(address,address,address)'),
    read: ({ data }) => addressAt(data, 0),
    shape: () => 'algebra',
    fee: () => 1_000,
  },
  // A pool has an id instead of an address. The tokens follow it. The third word of the data is the hooks.
  uniswapV4: {
    topic: toEventSelector(
      'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
    ),
    read: ({ topics }) => topics[1]!,
    at: 2,
    shape: ({ data }) => shapeWith(wordAt(data, 2)),
    fee: ({ data }) => numberOf(wordAt(data, 0)),
  },
}

/** The lowest bits of a hook's address say which calls it wants: one before swaps, which also sets amounts of the swap. */
const curveCalls = (1n << 7n) | (1n << 3n)

function shapeWith(hooks: Hex): PoolShape {
  if (numberOf(hooks) === 0) return 'singleton'
  const isCurve = /^0x[0-9a-f]{64}$/i.test(hooks) && (BigInt(hooks) & curveCalls) === curveCalls
  return isCurve ? 'customCurve' : 'hooked'
}

/**
 * The event of PancakeSwap Infinity's CLPoolManager. Words of its data: hooks, fee, parameters. The lowest bits of the
 * parameters are the calls that the hooks want. A pool with calls around its swaps, or whose hooks change what these pay, is
 * traded by no venue.
 */
const infinity: Reader = {
  topic: toEventSelector(
    'Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)',
  ),
  read: ({ topics }) => topics[1]!,
  at: 2,
  isTraded: ({ data }) =>
    /^0x[0-9a-f]{64}$/i.test(wordAt(data, 2)) && (BigInt(wordAt(data, 2)) & swapCalls) === 0n,
  shape: () => 'infinity',
  fee: ({ data }) => numberOf(wordAt(data, 1)),
}
const swapCalls = (1n << 6n) | (1n << 7n) | (1n << 10n) | (1n << 11n)

const byTopic = new Map(
  [...Object.values(byKind), infinity].map((reader) => [reader.topic, reader]),
)

/** First topics of all these events. */
export const poolTopics: readonly Hex[] = [...byTopic.keys()]

/** A larger value is not a fee: some events put a flag in its place. */
const wholePips = 1_000_000

/** Returns the pool that a log announces; `undefined` for other or malformed logs. */
export function poolOf(log: Log): IndexedPool | undefined {
  const [topic] = log.topics
  const reader = topic && byTopic.get(topic)
  if (!reader) return undefined
  const { at = 1 } = reader
  if (log.topics.length < at + 2 || reader.isTraded?.(log) === false) return undefined
  const pool = reader.read(log).toLowerCase() as Hex
  const [token0, token1] = [addressOf(log.topics[at]!), addressOf(log.topics[at + 1]!)]
  if (!/^0x([0-9a-f]{40}|[0-9a-f]{64})$/.test(pool)) return undefined
  if (![token0, token1].every((address) => /^0x[0-9a-f]{40}$/.test(address))) return undefined
  const { address: factory, blockNumber } = log
  const fee = reader.fee(log)
  const feePips = fee < wholePips ? fee : 0
  return { pool, token0, token1, blockNumber, factory, shape: reader.shape(log), feePips }
}

function addressAt(data: Hex, word: number): Address {
  return addressOf(wordAt(data, word))
}

function wordAt(data: Hex, word: number): Hex {
  return `0x${data.slice(2 + 64 * word, 66 + 64 * word)}`
}

function addressOf(word: Hex): Address {
  return `0x${word.slice(-40)}`
}

/** Returns zero if the word is missing. */
function numberOf(word: Hex | undefined): number {
  return word === undefined || word === '0x' ? 0 : Number(word)
}
