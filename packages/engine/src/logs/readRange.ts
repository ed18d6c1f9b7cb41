import type { Failure, RpcCall, RpcOutcome } from '@sluice/rpc'
import type { Hex } from 'viem'
import type { AskNode } from './AskNode.js'
import { type Block, type Cursor, hexOf, isEmptyBloom, mayHoldOneOf, parseBlock } from './Block.js'
import { type Log, type LogFilter, parseLogs, type Range } from './Log.js'
import { LogsError, type LogsFault } from './LogsError.js'

export type RangeRead = {
  readonly logs: readonly Log[]
  /** Blocks of the range whose headers were read, always including the last one. */
  readonly blocks: readonly Block[]
}

/**
 * Reads the logs of a block range from one node, and checks that they are complete and from one chain.
 *
 * Reads all headers if `isWhole`, otherwise the first and the last. They must link to each other and to `parent`, and
 * logs must name their hashes. Reads the logs twice, the second time in two halves, because nodes that truncate results
 * or lag omit logs silently. If all headers were read, blocks whose bloom filters match but that have no logs are read
 * again by hash.
 *
 * @throws LogsError
 */
export async function readRange(
  ask: AskNode,
  parameters: readRange.Parameters,
): Promise<RangeRead> {
  const { filter, isWhole, parent, range } = parameters
  const { from, to } = range
  const numbers = isWhole ? numbersOf(range) : [...new Set([from, to])]
  const parts = [range, ...halvesOf(range)]
  const outcomes = await ask([
    ...parts.map((part) =>
      logsCall(filter, { fromBlock: hexOf(part.from), toBlock: hexOf(part.to) }),
    ),
    ...numbers.map((number) => headerCall(hexOf(number))),
  ])
  const [logs, ...halves] = parts.map((part, index) =>
    parseLogs(resultOf(outcomes[index]!, faultsOfLogs), filter, part),
  )
  demandEqual(logs!, halves.flat())
  const blocks = numbers.map((_, index) =>
    parseBlock(resultOf(outcomes[parts.length + index]!, faultsOfBlocks)),
  )
  demandChain(blocks, numbers, parent)
  demandHashes(logs!, blocks)
  if (isWhole) await demandWhole(ask, filter, logs!, blocks)
  return { logs: logs!, blocks }
}

export declare namespace readRange {
  type Parameters = {
    filter: LogFilter
    range: Range
    /** The block before the range, if known. */
    parent: Cursor | undefined
    /** Whether to read the header of every block. */
    isWhole: boolean
  }
}

export function headerCall(tag: string): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [tag, false] }
}

/** Returns the block in the answer to a `headerCall`; `undefined` if the node does not have it. */
export function blockIn(outcome: RpcOutcome): Block | undefined {
  if (!outcome.ok && ['not_ready', 'bad_response'].includes(outcome.failure)) return undefined
  return parseBlock(resultOf(outcome, faultsOfBlocks))
}

function logsCall({ addresses, topics }: LogFilter, where: Record<string, Hex>): RpcCall {
  return { method: 'eth_getLogs', params: [{ address: addresses, topics: [topics], ...where }] }
}

function numbersOf({ from, to }: Range): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function halvesOf({ from, to }: Range): readonly Range[] {
  if (from === to) return [{ from, to }]
  const middle = Math.floor((from + to) / 2)
  return [
    { from, to: middle },
    { from: middle + 1, to },
  ]
}

type Faults = Partial<Record<Failure, LogsFault>>

/** Nodes report "too much" in many ways. Every failure not listed here is treated as a request for a smaller range. */
const faultsOfLogs: Faults = {
  connect: 'unreachable',
  cancelled: 'unreachable',
  auth: 'unreachable',
  unsupported: 'unreachable',
  rate_limited: 'rate_limited',
  not_ready: 'moved',
}

/** The block existed a moment ago, so a missing one means that the chain moved. */
const faultsOfBlocks: Faults = { ...faultsOfLogs, bad_response: 'moved' }

function resultOf(outcome: RpcOutcome, faults: Faults): unknown {
  if (outcome.ok) return outcome.result
  const fault = faults[outcome.failure] ?? 'refused'
  throw new LogsError(fault, `The node did not answer (${outcome.failure}).`)
}

function demandEqual(logs: readonly Log[], again: readonly Log[]): void {
  const isSame = logs.length === again.length && JSON.stringify(logs) === JSON.stringify(again)
  if (!isSame)
    throw new LogsError('inconsistent', 'The node returned different logs for the same blocks.')
}

function demandChain(
  blocks: readonly Block[],
  numbers: readonly number[],
  parent: Cursor | undefined,
): void {
  for (const [index, block] of blocks.entries()) {
    if (block.number !== numbers[index])
      throw new LogsError('inconsistent', 'The node returned a different block.')
    const before = index === 0 ? parent : blocks[index - 1]
    if (before?.number === block.number - 1 && before.hash !== block.parentHash)
      throw new LogsError('moved', 'The blocks do not link to each other.')
  }
}

function demandHashes(logs: readonly Log[], blocks: readonly Block[]): void {
  const hashes = new Map(blocks.map(({ hash, number }) => [number, hash]))
  for (const { blockHash, blockNumber } of logs)
    if ((hashes.get(blockNumber) ?? blockHash) !== blockHash)
      throw new LogsError('moved', 'A log names another hash for its block.')
}

/** Reads blocks again by hash if they have no logs but match by bloom filter. */
async function demandWhole(
  ask: AskNode,
  filter: LogFilter,
  logs: readonly Log[],
  blocks: readonly Block[],
): Promise<void> {
  const holding = new Set(logs.map(({ blockNumber }) => blockNumber))
  const [hasAddress, hasTopic] = [filter.addresses, filter.topics].map(mayHoldOneOf)
  const promises = ({ bloom }: Block) =>
    bloom !== undefined && hasAddress!(bloom) && hasTopic!(bloom)
  const isLiar = (block: Block) =>
    holding.has(block.number) &&
    block.bloom !== undefined &&
    !isEmptyBloom(block.bloom) &&
    !promises(block)
  if (blocks.some(isLiar))
    throw new LogsError('inconsistent', 'A log is not in the bloom filter of its block.')
  const suspects = blocks.filter((block) => !holding.has(block.number) && promises(block))
  if (suspects.length === 0) return
  const outcomes = await ask(suspects.map(({ hash }) => logsCall(filter, { blockHash: hash })))
  for (const [index, { number }] of suspects.entries()) {
    const range = { from: number, to: number }
    const missing = parseLogs(resultOf(outcomes[index]!, faultsOfLogs), filter, range)
    if (missing.length > 0) throw new LogsError('inconsistent', 'The node omitted logs of a block.')
  }
}
