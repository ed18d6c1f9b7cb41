import type { Address, Hex } from 'viem'
import { isHash, isSmallQuantity } from './Block.js'
import { LogsError } from './LogsError.js'

/** One log; address in lower case. */
export type Log = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly logIndex: number
  readonly transactionHash: Hex
}

/** Which logs are followed; everything in lower case. */
export type LogFilter = {
  readonly addresses: readonly Address[]
  /** Of the first topic. */
  readonly topics: readonly Hex[]
}

export type Range = { readonly from: number; readonly to: number }

/**
 * Reads an answer to `eth_getLogs`, every log of which must be what was asked for: of the contracts and topics, in the
 * range, not taken back, and in the order of the chain, which also refuses one that comes twice.
 *
 * @throws LogsError `inconsistent`
 */
export function parseLogs(value: unknown, filter: LogFilter, range: Range): readonly Log[] {
  if (!Array.isArray(value)) throw inconsistent('no list of logs')
  const logs = value.map((each) => parseLog(each, filter, range))
  const hashes = new Map<number, Hex>()
  for (const [index, log] of logs.entries()) {
    const before = logs[index - 1]
    if (before !== undefined && !isBefore(before, log)) throw inconsistent('logs out of order')
    const hash = hashes.get(log.blockNumber) ?? log.blockHash
    if (hash !== log.blockHash) throw inconsistent('two blocks of one number')
    hashes.set(log.blockNumber, hash)
  }
  return logs
}

function parseLog(value: unknown, { addresses, topics: wanted }: LogFilter, range: Range): Log {
  const log = (value ?? {}) as Record<string, unknown>
  const { blockHash, blockNumber, data, logIndex, removed, topics, transactionHash } = log
  if (removed !== undefined && removed !== false) throw inconsistent('a log that was taken back')
  if (!isSmallQuantity(blockNumber) || !isSmallQuantity(logIndex)) throw inconsistent('a log')
  if (!isHash(blockHash) || !isHash(transactionHash) || !isBytes(data)) throw inconsistent('a log')
  const address = typeof log['address'] === 'string' ? log['address'].toLowerCase() : ''
  if (!addresses.includes(address as Address)) throw inconsistent('a log of another contract')
  if (!Array.isArray(topics) || !topics.every(isHash) || !wanted.includes(topics[0]!))
    throw inconsistent('a log with other topics')
  const number = Number(blockNumber)
  if (number < range.from || number > range.to) throw inconsistent('a log outside of the range')
  return {
    address: address as Address,
    topics,
    data,
    blockNumber: number,
    blockHash,
    logIndex: Number(logIndex),
    transactionHash,
  }
}

function isBefore(a: Log, b: Log): boolean {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber
  return a.logIndex < b.logIndex
}

function isBytes(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/.test(value)
}

function inconsistent(what: string): LogsError {
  return new LogsError('inconsistent', `The node gave ${what}, which was not asked for.`)
}
