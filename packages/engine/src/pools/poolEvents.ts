import type { VenueKind } from '@sluice/domain'
import { type Address, type Hex, toEventSelector } from 'viem'
import type { Log } from '../logs/Log.js'

/**
 * How what a pool holds is read: reserves of its own, a price with the liquidity at it, the same under the names of
 * Algebra, or at a contract that holds all pools.
 */
export const poolShapes = ['reserves', 'stableReserves', 'range', 'algebra', 'singleton'] as const
export type PoolShape = (typeof poolShapes)[number]

/** A pool as its factory announced it; addresses in lower case. */
export type IndexedPool = {
  /** Its address; its id of 32 bytes on Uniswap V4. */
  readonly pool: Hex
  readonly token0: Address
  readonly token1: Address
  readonly blockNumber: number
  /** Whose announcement it is. */
  readonly factory: Address
  readonly shape: PoolShape
  /** Of a swap, in millionths. */
  readonly feePips: number
}

type Reader = {
  readonly topic: Hex
  readonly read: (log: Log) => Hex
  /** Topic of the first token, the second one follows. @default 1 */
  readonly at?: number
  readonly shape: (log: Log) => PoolShape
  /** In millionths; a usual one if the announcement does not say. */
  readonly fee: (log: Log) => number
}

/** How each kind announces a new pool; both tokens are indexed arguments of each, one after the other. */
const readers: Readonly<Record<VenueKind.With<'derived'>, Reader>> = {
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
  // The volatile and the stable pool of each pair.
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
  // A pool has an id and no address; the tokens follow it.
  uniswapV4: {
    topic: toEventSelector(
      'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
    ),
    read: ({ topics }) => topics[1]!,
    at: 2,
    shape: () => 'singleton',
    fee: ({ data }) => numberOf(wordAt(data, 0)),
  },
}

const byTopic = new Map(Object.values(readers).map((reader) => [reader.topic, reader]))

/** Topics to ask a node for. */
export const poolTopics: readonly Hex[] = [...byTopic.keys()]

/** Above it a fee is none: some announcements have a mark in its place. */
const wholePips = 1_000_000

/** The pool that a log announces; `undefined` for any other log, or one that is malformed. */
export function poolOf(log: Log): IndexedPool | undefined {
  const [topic] = log.topics
  const reader = topic && byTopic.get(topic)
  if (!reader) return undefined
  const { at = 1 } = reader
  if (log.topics.length < at + 2) return undefined
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

/** Zero for a word that is not there. */
function numberOf(word: Hex | undefined): number {
  return word === undefined || word === '0x' ? 0 : Number(word)
}
