import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import type { AskNode } from '../src/logs/AskNode.js'

export type FakeLog = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
}

export type FakeBlock = {
  readonly hash: Hex
  readonly parentHash: Hex
  readonly logs: readonly FakeLog[]
  readonly bloom: Hex
}

/** A log in JSON-RPC format. */
export type RawLog = Record<string, unknown> & { topics: Hex[] }

/** A chain in memory that answers the calls of an index and counts them. */
export type FakeLogChain = {
  readonly chainId: number
  /** The canonical blocks; block 0 has no logs. */
  readonly blocks: readonly FakeBlock[]
  readonly ask: AskNode
  /** Answers like a node with these blocks. */
  readonly answer: (call: RpcCall, blocks?: readonly FakeBlock[]) => RpcOutcome
  readonly mine: (logs: readonly FakeLog[]) => void
  /** Drops the last blocks. */
  readonly drop: (depth: number) => void
  readonly calls: Map<string, number>
  /** Contracts have code from this block on. If `isPruned`, older state is missing. */
  createdAt: number
  isPruned: boolean
  /** Limits on the blocks and logs of one request. */
  maxSpan: number
  maxLogs: number
}

let made = 0

export function createFakeLogChain(
  options: { chainId?: number; hasBlooms?: boolean } = {},
): FakeLogChain {
  const { chainId = 8_453, hasBlooms = true } = options
  const blocks: FakeBlock[] = []
  const calls = new Map<string, number>()
  const chain: FakeLogChain = {
    chainId,
    blocks,
    calls,
    createdAt: 0,
    isPruned: false,
    maxSpan: Number.POSITIVE_INFINITY,
    maxLogs: Number.POSITIVE_INFINITY,
    ask: async (asked) => asked.map((call) => chain.answer(call)),
    answer: (call, seen = blocks) => {
      calls.set(call.method, (calls.get(call.method) ?? 0) + 1)
      return answerTo(chain, call, seen)
    },
    mine(logs) {
      const parentHash = blocks.at(-1)?.hash ?? toHex(0, { size: 32 })
      const bloom = hasBlooms ? bloomOf(logs) : (`0x${'0'.repeat(512)}` as const)
      blocks.push({ hash: toHex(++made, { size: 32 }), parentHash, logs, bloom })
    },
    drop(depth) {
      blocks.length = Math.max(1, blocks.length - depth)
    },
  }
  chain.mine([])
  return chain
}

/** The logs of a block in JSON-RPC format. Log indexes have gaps for logs of other contracts. */
export function rawLogsOf({ hash, logs }: FakeBlock, number: number): RawLog[] {
  return logs.map(({ address, data, topics }, index) => ({
    address,
    topics: [...topics],
    data,
    blockNumber: toHex(number),
    blockHash: hash,
    logIndex: toHex(3 * index + 1),
    transactionHash: hash,
    transactionIndex: '0x0',
    removed: false,
  }))
}

function answerTo(
  chain: FakeLogChain,
  { method, params }: RpcCall,
  blocks: readonly FakeBlock[],
): RpcOutcome {
  const numberOf = (tag: unknown) => (tag === 'latest' ? blocks.length - 1 : Number(tag))
  if (method === 'eth_getBlockByNumber') {
    const number = numberOf(params[0])
    const block = blocks[number]
    // JSON-RPC returns null.
    if (block === undefined) return { ok: false, failure: 'bad_response' }
    const { bloom, hash, parentHash } = block
    return { ok: true, result: { number: toHex(number), hash, parentHash, logsBloom: bloom } }
  }
  if (method === 'eth_chainId') return { ok: true, result: toHex(chain.chainId) }
  if (method === 'eth_getCode') {
    const number = numberOf(params[1])
    if (chain.isPruned && number < blocks.length - 128) return { ok: false, failure: 'not_ready' }
    return { ok: true, result: number >= chain.createdAt ? '0x60' : '0x' }
  }
  if (method !== 'eth_getLogs') return { ok: false, failure: 'unsupported' }
  return logsIn(chain, params[0] as Filter, blocks)
}

type Filter = {
  address: Address[]
  topics: [Hex[]]
  fromBlock?: Hex
  toBlock?: Hex
  blockHash?: Hex
}

function logsIn(chain: FakeLogChain, filter: Filter, blocks: readonly FakeBlock[]): RpcOutcome {
  const byHash = filter.blockHash && blocks.findLastIndex(({ hash }) => hash === filter.blockHash)
  if (byHash !== undefined && byHash < 0) return { ok: false, failure: 'not_ready' }
  const from = byHash ?? Number(filter.fromBlock)
  const to = byHash ?? Number(filter.toBlock)
  if (to - from + 1 > chain.maxSpan) return { ok: false, failure: 'server' }
  // Like a node that lags, silently ignores blocks that it does not have.
  const result = blocks
    .slice(from, to + 1)
    .flatMap((block, index) =>
      rawLogsOf(block, from + index).filter(
        (log) =>
          filter.address.includes(log['address'] as Address) &&
          filter.topics[0].includes(log.topics[0]!),
      ),
    )
  return result.length > chain.maxLogs ? { ok: false, failure: 'too_large' } : { ok: true, result }
}

const digests = new Map<Hex, Hex>()

/** As the Yellow Paper defines it: 2,048 bits, of which each value sets three. */
function bloomOf(logs: readonly FakeLog[]): Hex {
  let bloom = 0n
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const digest = digests.get(value) ?? keccak256(value)
    digests.set(value, digest)
    for (const pair of [0, 2, 4]) {
      const bytes = Buffer.from(digest.slice(2), 'hex')
      bloom |= 1n << BigInt(bytes.readUInt16BE(pair) % 2048)
    }
  }
  return toHex(bloom, { size: 256 })
}
