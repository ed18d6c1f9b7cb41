import { type Address, type Hex, toEventSelector } from 'viem'
import type { Log } from '../logs/Log.js'
import type { IndexedPool } from './PoolStore.js'

type Reader = { readonly topic: Hex; readonly read: (log: Log) => Address }

/** Announcements of a new pool; both tokens are the first two indexed arguments of each. */
const readers: readonly Reader[] = [
  {
    topic: toEventSelector('PairCreated(address,address,address,uint256)'),
    read: ({ data }) => addressAt(data, 0),
  },
  {
    topic: toEventSelector('PoolCreated(address,address,uint24,int24,address)'),
    read: ({ data }) => addressAt(data, 1),
  },
]

/** Topics to ask a node for. */
export const poolTopics: readonly Hex[] = readers.map(({ topic }) => topic)

/** The pool that a log announces; `undefined` for any other log, or one that is malformed. */
export function poolOf(log: Log): IndexedPool | undefined {
  const reader = readers.find(({ topic }) => topic === log.topics[0])
  if (!reader || log.topics.length < 3) return undefined
  const pool = reader.read(log)
  const [token0, token1] = [addressOf(log.topics[1]!), addressOf(log.topics[2]!)]
  if (![pool, token0, token1].every((address) => /^0x[0-9a-f]{40}$/.test(address))) return undefined
  return { pool, token0, token1, blockNumber: log.blockNumber }
}

function addressAt(data: Hex, word: number): Address {
  return addressOf(`0x${data.slice(2 + 64 * word, 66 + 64 * word)}`)
}

function addressOf(word: Hex): Address {
  return `0x${word.slice(-40)}`
}
