import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { type Address, type Hex, numberToHex } from 'viem'
import { type Chain, type ChainBlock, headerOf } from './Chain.js'
import { chainId } from './encodePlan.js'
import type { Fault } from './faults.js'
import { mainTrade, type Overrides, simulate } from './simulate.js'

/** A node of the simulated chain with configurable faults. */
export type ChaosNode = {
  readonly url: string
  /** Returns the fault for the next request. */
  fault: () => Fault | undefined
  /** Milliseconds before it responds. */
  delayMs: number
  /** Maximum requests in progress; others wait. */
  slots: number
  /** Whether it reverts a trade of this amount. */
  reverts: (amountIn: bigint) => boolean
  /** Counts of HTTP requests and of `eth_call`s, without calls that test the node's abilities or read the gas price. */
  requests: number
  calls: number
  /** Times at which the client aborted requests (monotonic milliseconds). */
  readonly abortedAt: number[]
  /** The latest changes of the fault between two requests, and their times (monotonic milliseconds). */
  readonly changes: { readonly at: number; readonly fault: Fault | undefined }[]
  readonly stop: () => Promise<void>
}

export async function startChaosNode(chain: Chain): Promise<ChaosNode> {
  const sent = createServer((request, response) => {
    answer(node, chain, request, response).catch(() => response.destroy())
  })
  sent.keepAliveTimeout = 60_000
  sent.listen(0, '127.0.0.1')
  await once(sent, 'listening')
  const node: ChaosNode = {
    url: `http://127.0.0.1:${(sent.address() as AddressInfo).port}`,
    fault: () => undefined,
    delayMs: 2,
    slots: Number.POSITIVE_INFINITY,
    reverts: () => false,
    requests: 0,
    calls: 0,
    abortedAt: [],
    changes: [],
    async stop() {
      sent.closeAllConnections()
      sent.close()
    },
  }
  return node
}

const otherChainId = 5

type Call = {
  id: number
  method: string
  params: [{ to: Address; data: Hex }, unknown, Overrides | undefined]
}

async function answer(
  node: ChaosNode,
  chain: Chain,
  request: IncomingMessage,
  response: ServerResponse,
) {
  node.requests++
  response.on('close', () => {
    if (!response.writableFinished) node.abortedAt.push(performance.now())
  })
  let text = ''
  for await (const chunk of request) text += chunk
  const content = JSON.parse(text) as Call | Call[]
  const calls = Array.isArray(content) ? content : [content]
  if (!calls.some(({ method }) => method === 'eth_gasPrice'))
    node.calls += calls.filter((call) => call.method === 'eth_call' && !isProbe(call)).length
  const fault = node.fault()
  noteChange(node, fault)
  if (fault === 'hang') return
  if (fault === 'reset') return request.socket.resetAndDestroy()
  await work(node, fault === 'slow' ? 1_000 : node.delayMs)
  if (fault === 'down') return request.socket.resetAndDestroy()
  if (fault === 'unavailable') return response.writeHead(503).end('busy')
  if (fault === 'throttled') return response.writeHead(429, { 'retry-after': '1' }).end()
  if (fault === 'html') return response.end('<html>busy</html>')
  if (fault === 'huge') return sendHuge(response)
  const replies = calls.map((call) => reply(node, chain, call, fault))
  if (fault === 'missingItem') replies.pop()
  const body = JSON.stringify(Array.isArray(content) ? replies : replies[0])
  if (fault === 'drip') return response.write(body.slice(0, 20))
  if (fault === 'truncatedGzip') {
    const zipped = gzipSync(body)
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped.subarray(0, 40))
  }
  response.end(body)
}

const keptChanges = 6

function noteChange({ changes }: ChaosNode, fault: Fault | undefined) {
  if (changes.length > 0 && changes.at(-1)!.fault === fault) return
  changes.push({ at: Math.round(performance.now()), fault })
  if (changes.length > keptChanges) changes.shift()
}

function isProbe({ params: [{ data }] }: Call): boolean {
  return data.length < 10
}

const queues = new WeakMap<ChaosNode, { busy: number; waiting: (() => void)[] }>()

/** Waits for a free slot and occupies it for `ms` milliseconds. */
async function work(node: ChaosNode, ms: number) {
  const queue = queues.get(node) ?? { busy: 0, waiting: [] }
  queues.set(node, queue)
  if (queue.busy >= node.slots) await new Promise<void>((resolve) => queue.waiting.push(resolve))
  else queue.busy++
  await sleep(ms)
  const next = queue.waiting.shift()
  if (next === undefined) queue.busy--
  else next()
}

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Sends 64 MiB that begin like JSON, for as long as the client reads. */
function sendHuge(response: ServerResponse) {
  const piece = Buffer.alloc(64 * 1024, '[')
  pipeline(Readable.from(Array.from({ length: 1_024 }, () => piece)), response, () => {})
}

function reply(node: ChaosNode, chain: Chain, call: Call, fault: Fault | undefined) {
  const id = fault === 'wrongId' ? call.id + 1 : fault === 'duplicateId' ? 1 : call.id
  const outcome = outcomeOf(node, chain, call, fault)
  return { jsonrpc: '2.0', id, ...outcome }
}

function outcomeOf(node: ChaosNode, chain: Chain, call: Call, fault: Fault | undefined) {
  const { method, params } = call
  const error = (code: number, message: string) => ({ error: { code, message } })
  const head = headOf(chain, fault)
  if (method === 'eth_chainId')
    return { result: numberToHex(fault === 'wrongChain' ? otherChainId : chainId) }
  if (method === 'eth_getBlockByNumber') return { result: headerOf(head) }
  if (method === 'eth_getCode') return { result: '0x6001' }
  if (method !== 'eth_call') return error(-32_601, 'Method not found')
  if (fault === 'internalError') return error(-32_603, 'Internal error')
  if (fault === 'outOfGas') return error(-32_603, 'EVM error OutOfGas')
  if (fault === 'null') return { result: null }
  if (fault === 'empty') return { result: '0x' }
  const [{ data, to }, tag, overrides = {}] = params
  const block = blockOf(chain, head, tag)
  if (block === undefined) return error(-32_000, 'header not found')
  // A node that mixes up its responses sends the one of another request.
  const asked = { to, data: fault === 'wrongId' ? another(data) : data, overrides }
  const amountIn = mainTrade(asked)
  const reverts = fault === 'revert' || (amountIn !== undefined && node.reverts(amountIn))
  if (reverts) return error(3, 'execution reverted')
  const result = simulate(asked, block, fault === 'wrongChain' ? otherChainId : chainId)
  if (fault === 'oddHex') return { result: result.slice(0, -1) }
  return { result }
}

/** Returns the same call for one more unit. */
function another(data: Hex): Hex {
  if (data.length < 202) return data
  const amount = BigInt(`0x${data.slice(138, 202)}`) + 1n
  return `${data.slice(0, 138)}${numberToHex(amount, { size: 32 }).slice(2)}${data.slice(202)}` as Hex
}

/** Returns the head from the node's view. */
function headOf(chain: Chain, fault: Fault | undefined): ChainBlock {
  const tip = chain.tip()
  if (fault === 'lagging') return chain.at(tip.number - 1_000)!
  if (fault === 'behind') return chain.at(tip.number - 5)!
  if (fault === 'forked') return chain.fork()
  if (fault === 'ahead') return { ...chain.fork(), number: tip.number + 50 }
  return tip
}

/** Returns the block that a call names, if the node has it. */
function blockOf(chain: Chain, head: ChainBlock, tag: unknown): ChainBlock | undefined {
  if (tag === 'latest' || tag === undefined) return head
  const named =
    typeof tag === 'string'
      ? chain.at(Number(tag))
      : chain.byHash((tag as { blockHash: Hex }).blockHash)
  if (named?.number === head.number)
    return typeof tag === 'string' || named.hash === head.hash ? head : undefined
  return named !== undefined && named.number < head.number ? named : undefined
}
