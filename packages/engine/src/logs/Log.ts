import type { Address, Hex } from 'viem'
import { isHash, isSmallQuantity } from './Block.js'
import { LogsError } from './LogsError.js'

/** One log. Its address is in lower case. */
export type Log = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly logIndex: number
  readonly transactionHash: Hex
}

/** Selects logs; everything in lower case. */
export type LogFilter = {
  readonly addresses: readonly Address[]
  /** Values of the first topic. */
  readonly topics: readonly Hex[]
}

export type Range = { readonly from: number; readonly to: number }

/**
 * Parses the result of `eth_getLogs`. Every log must match the request: contract, first topic and range. Rejects
 * removed logs, duplicates and logs out of order.
 *
 * @throws LogsError `inconsistent`
 */
export function parseLogs(value: unknown, filter: LogFilter, range: Range): readonly Log[] {
  if (!Array.isArray(value)) throw inconsistent('the result is not a list')
  const logs = value.map((each) => parseLog(each, filter, range))
  const hashes = new Map<number, Hex>()
  for (const [index, log] of logs.entries()) {
    const before = logs[index - 1]
    if (before !== undefined && !isBefore(before, log))
      throw inconsistent('its logs are out of order')
    const hash = hashes.get(log.blockNumber) ?? log.blockHash
    if (hash !== log.blockHash) throw inconsistent('two blocks have the same number')
    hashes.set(log.blockNumber, hash)
  }
  return logs
}

function parseLog(value: unknown, { addresses, topics: wanted }: LogFilter, range: Range): Log {
  const log = (value ?? {}) as Record<string, unknown>
  const { blockHash, blockNumber, data, logIndex, removed, topics, transactionHash } = log
  if (removed !== undefined && removed !== false) throw inconsistent('a log is marked as removed')
  if (!isSmallQuantity(blockNumber) || !isSmallQuantity(logIndex)) throw inconsistent(malformed)
  if (!isHash(blockHash) || !isHash(transactionHash) || !isBytes(data))
    throw inconsistent(malformed)
  const address = typeof log['address'] === 'string' ? log['address'].toLowerCase() : ''
  if (!addresses.includes(address as Address)) throw inconsistent('a log is from another contract')
  if (!Array.isArray(topics) || !topics.every(isHash) || !wanted.includes(topics[0]!))
    throw inconsistent('a log has other topics')
  const number = Number(blockNumber)
  if (number < range.from || number > range.to) throw inconsistent('a log is outside of the range')
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

const malformed = 'a log is malformed'

function inconsistent(what: string): LogsError {
  return new LogsError('inconsistent', `The node's logs do not match the request: ${what}.`)
}
