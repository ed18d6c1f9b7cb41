import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { hubAbi, quoterAbi } from '@sluice/abi'
import { Plan, PlanChecks } from '@sluice/domain'
import {
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  keccak256,
  stringToHex,
  toFunctionSelector,
  toHex,
} from 'viem'

/**
 * A node under the test's control, for failures and counts that a real one cannot provide. It speaks JSON-RPC over HTTP
 * and answers calls to the Quoter with plans encoded by the generated ABI.
 */
export type FakeNode = {
  readonly url: string
  /** Calls received, by method, except probes of capabilities and reads of fees and venues. */
  readonly calls: Map<string, number>
  /** HTTP requests received, except those that read fees or venues. */
  requests: number
  /** Number of requests that the client aborted. */
  aborted: number
  chainId: bigint
  head: number
  /** Timestamp of block 0 in unix seconds; blocks are two seconds apart. */
  genesis: number
  /** Nodes with the same salt are on the same branch. */
  salt: string
  delayMs: number
  /** The node answers nothing before this resolves. */
  until: Promise<void> | undefined
  /** The node does not say which venues the Hub has before this resolves. */
  untilVenues: Promise<void> | undefined
  fault: Fault | undefined
  /** The Quoter's plan for a call on block `number`. */
  plan: (ask: Ask, number: number) => FakePlan | RpcFault
  /** Fees in wei; no answer if unset. */
  fees: { baseFee?: bigint; tip?: bigint; gasPrice?: bigint } | undefined
  /** The rollup's data fee for a transaction in wei; on Arbitrum converted to gas at the base fee. */
  dataFee: bigint | undefined
  /** Calls that the node refuses whatever the chain's state, for example because of an unknown parameter. */
  refuse: (call: Call) => RpcFault | undefined
  /** Results of other calls, by `to` and data in lower case. All others revert. */
  readonly answers: Record<string, Hex | RpcFault>
  close: () => Promise<void>
}

export type Fault =
  | 'hang'
  /** Answers calls, but no request for a header alone. */
  | 'no headers'
  | 'drip'
  | 'reset'
  /** Closes the connection of one request, like an idle timeout. */
  | 'reset once'
  | 'html'
  | 'wrong id'
  | 'duplicate id'
  | 'single object'
  /** Refuses batches. */
  | 'no batches'
  | 'not hex'
  | 'empty'
  | 'null'
  | 'huge'
  /** Announces a huge body and sends nothing. */
  | 'huge, declared'
  /** A huge body that is not JSON. */
  | 'huge junk'
  | 'not canonical'
  /** `retryAfter` in seconds. */
  | { status: number; retryAfter?: number }
  | { error: RpcFault }

export type RpcFault = { code: number; message: string; data?: string }
export type Ask = {
  tokenIn: Hex
  tokenOut: Hex
  amountIn: bigint
  isExact: boolean
  connectors: readonly Hex[]
  pools: readonly bigint[]
  /** Third parameter of the call. */
  overrides?: unknown
}
export type FakePlan = ReturnType<typeof planOf>

export const pool = '0x00000000000000000000000000000000000000b0'

/** Verdicts without a route. */
const routeless = ['NoRoute', 'TokenInNotContract', 'TokenOutNotContract']

/**
 * A plan of one leg that pays two for one, or `grossOut` if given; the other numbers follow from it. If the verdict
 * says so, without a route. All other changes are applied unchecked.
 */
export function planOf(ask: Ask, changes: PlanChanges = {}) {
  const { tokenIn, tokenOut, amountIn } = ask
  const { grossOut: wanted = amountIn * 2n, upperBound = wanted + 1n, ...others } = changes
  const hasRoute = !routeless.includes(Plan.verdicts[changes.verdict ?? 0]!)
  const isNothing = Plan.verdicts[changes.verdict ?? 0] === 'NothingOut'
  const grossOut = hasRoute && !isNothing ? wanted : 0n
  const impactBps = hasRoute ? 12n : 0n
  const protocolFee = (grossOut * 28n) / 10_000n
  const leg = { venue: 1, pool: pool as Hex, tokenIn, tokenOut, key: 3_000n, share: 10n ** 18n }
  return {
    route: { tokenIn, tokenOut, amountIn, grossOut, impactBps, legs: hasRoute ? [leg] : [] },
    verdict: 0,
    protocolFee,
    netOut: grossOut - protocolFee,
    ironFloor: hasRoute ? PlanChecks.ironFloorOf(grossOut, impactBps) : 0n,
    upperBound: grossOut === 0n ? Plan.noBound : upperBound,
    gapMicroBps: grossOut === 0n ? Plan.noBound : gapOf(upperBound, grossOut),
    estGas: hasRoute ? 130_000n : 0n,
    hops: hasRoute ? 1n : 0n,
    hasSurplus: false,
    truncated: false,
    poolsRead: 4n,
    witness: { chainId: 0n, blockNumber: 0n, timestamp: 0n, parentHash: '0x' as Hex },
    ...others,
  }
}

type PlanChanges = Partial<Record<string, unknown>> & {
  grossOut?: bigint
  upperBound?: bigint
  verdict?: number
}

/** In millionths of a basis point, rounded up. */
function gapOf(upperBound: bigint, grossOut: bigint): bigint {
  return ((upperBound - grossOut) * 10n ** 10n + grossOut - 1n) / grossOut
}

export function blockHash(number: number, salt = ''): Hex {
  return keccak256(toHex(`block ${number}${salt}`))
}

export async function startFakeNode(changes: Partial<FakeNode> = {}): Promise<FakeNode> {
  const node: FakeNode = {
    url: '',
    calls: new Map(),
    requests: 0,
    aborted: 0,
    chainId: 31_337n,
    head: 100,
    genesis: Math.floor(Date.now() / 1_000) - 200,
    salt: '',
    delayMs: 0,
    until: undefined,
    untilVenues: undefined,
    fault: undefined,
    plan: (ask) => planOf(ask),
    fees: undefined,
    dataFee: undefined,
    refuse: () => undefined,
    answers: {},
    close: async () => {},
    ...changes,
  }
  const server = createServer((request, response) => serve(node, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(node, { url: `http://127.0.0.1:${port}`, close: () => close(server) })
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function serve(node: FakeNode, request: IncomingMessage, response: ServerResponse) {
  node.requests++
  response.on('close', () => {
    if (!response.writableFinished) node.aborted++
  })
  const text = await readText(request).catch(() => undefined)
  // The client left before its whole request arrived.
  if (text === undefined) return
  const content = JSON.parse(text) as Call | Call[]
  const batch = Array.isArray(content) ? content : [content]
  const isAside = batch.some((call) => call.method === 'eth_gasPrice' || venuesOf(call))
  if (isAside) node.requests--
  for (const call of isAside ? [] : batch.filter((each) => !isProbe(each)))
    node.calls.set(call.method, (node.calls.get(call.method) ?? 0) + 1)
  await node.until
  if (batch.some(venuesOf)) await node.untilVenues
  if (node.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, node.delayMs))
  const { fault } = node
  if (fault === 'hang') return
  const isHeader = batch.length === 1 && batch[0]!.method === 'eth_getBlockByNumber'
  if (fault === 'no headers' && isHeader) return
  if (fault === 'reset once') node.fault = undefined
  if (fault === 'reset' || fault === 'reset once') return request.socket.resetAndDestroy()
  if (typeof fault === 'object' && 'status' in fault) {
    const { retryAfter, status } = fault
    return response.writeHead(status, { 'retry-after': `${retryAfter ?? ''}` }).end()
  }
  if (fault === 'html') return response.end('<html>busy</html>')
  if (fault === 'huge') return sendHuge(response, '[')
  if (fault === 'huge junk') return sendHuge(response, '0')
  if (fault === 'huge, declared')
    return response.setHeader('content-length', hugeBytes).flushHeaders()
  if (fault === 'no batches' && Array.isArray(content)) {
    const error = { code: -32_600, message: 'Invalid request' }
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
  }
  const replies = batch.map((call) => reply(node, call))
  const body = JSON.stringify(
    fault === 'single object' || !Array.isArray(content) ? replies[0] : replies,
  )
  if (fault !== 'drip') return response.end(body)
  response.write(body.slice(0, 20))
}

const hugeBytes = 64 * 1024 * 1024

/** Sends small pieces until the client stops reading. */
function sendHuge(response: ServerResponse, sign: string) {
  const piece = Buffer.alloc(64 * 1024, sign)
  const count = hugeBytes / piece.byteLength
  pipeline(Readable.from(Array.from({ length: count }, () => piece)), response, () => {})
}

export type Call = {
  id: number
  method: string
  params: [{ to: Hex; data: Hex; gas: Hex }, unknown, unknown?]
}

function isProbe({ method, params }: Call): boolean {
  if (method !== 'eth_call') return false
  const [{ data, to }] = params
  return data === '0x' || to === echoAt || isBalanceCall(data)
}

/** The identity precompile. */
const echoAt = '0x0000000000000000000000000000000000000004'

function reply(node: FakeNode, call: Call) {
  const { fault } = node
  const id = fault === 'wrong id' ? call.id + 1 : fault === 'duplicate id' ? 1 : call.id
  if (call.method === 'eth_call' && typeof fault === 'object' && 'error' in fault)
    return { jsonrpc: '2.0', id, error: fault.error }
  const result = answer(node, call)
  if (typeof result === 'object' && 'code' in result) return { jsonrpc: '2.0', id, error: result }
  return { jsonrpc: '2.0', id, result: disturb(fault, call, result) }
}

function disturb(fault: FakeNode['fault'], { method }: Call, result: unknown) {
  if (method !== 'eth_call') return result
  if (fault === 'not hex') return '0xzz'
  if (fault === 'empty') return '0x'
  if (fault === 'null') return null
  if (fault === 'not canonical') return `${result}${'00'.repeat(32)}`
  return result
}

function answer(node: FakeNode, call: Call): string | Record<string, unknown> | RpcFault {
  switch (call.method) {
    case 'eth_chainId':
      return toHex(node.chainId)
    case 'eth_getCode':
      return '0x6001'
    case 'eth_getBlockByNumber': {
      const tag = call.params[0] as unknown
      return header(node, tag === 'latest' ? node.head : Number(tag))
    }
    case 'eth_maxPriorityFeePerGas':
      return quantityOf(node.fees?.tip)
    case 'eth_gasPrice':
      return quantityOf(node.fees?.gasPrice)
    case 'eth_call':
      return ethCall(node, call)
    default:
      return { code: -32_601, message: 'Method not found' }
  }
}

function header(node: FakeNode, number: number) {
  return {
    number: toHex(number),
    hash: blockHash(number, node.salt),
    parentHash: blockHash(number - 1, node.salt),
    timestamp: toHex(node.genesis + 2 * number),
    ...(node.fees?.baseFee !== undefined && { baseFeePerGas: toHex(node.fees.baseFee) }),
  }
}

function quantityOf(value: bigint | undefined): Hex | RpcFault {
  return value === undefined ? { code: -32_601, message: 'Method not found' } : toHex(value)
}

/** The contracts that report a rollup's data fee. */
function dataFeeOf({ dataFee, fees }: FakeNode, data: Hex): Hex | RpcFault | undefined {
  const isOpStack = data.startsWith(toFunctionSelector('getL1Fee(bytes)'))
  const isArbitrum = data.startsWith(
    toFunctionSelector('gasEstimateL1Component(address,bool,bytes)'),
  )
  if (!isOpStack && !isArbitrum) return undefined
  if (dataFee === undefined) return '0x'
  const words = isOpStack ? [dataFee] : [dataFee, fees?.baseFee ?? 0n, 0n]
  return `0x${words.map((word) => toHex(word, { size: 32 }).slice(2)).join('')}`
}

/** `balanceOf`, which a client calls to find balance slots. */
function isBalanceCall(data: Hex): boolean {
  return data.startsWith('0x70a08231')
}

/** The Hub's only venue. */
export const venue = {
  id: stringToHex('fake-v3', { size: 32 }),
  factory: '0x00000000000000000000000000000000000000fa',
  venue: {
    kind: 2,
    enabled: true,
    unlockedWord: 6,
    feePips: 0,
    callback: '0x00000000',
    deployer: '0x00000000000000000000000000000000000000fa',
    initCodeHash: `0x${'00'.repeat(32)}`,
  },
  tiers: [{ key: 3_000n, feePips: 3_000, tickSpacing: 60 }],
} as const

/** What the Hub answers about its venues, listed pools and connectors; `undefined` for any other call. */
function venuesOf({ method, params: [call] }: Call): Hex | undefined {
  if (method !== 'eth_call') return undefined
  const abi = hubAbi
  if (call.data === toFunctionSelector('venues()'))
    return encodeFunctionResult({ abi, functionName: 'venues', result: [venue] })
  if (call.data === toFunctionSelector('pools()'))
    return encodeFunctionResult({ abi, functionName: 'pools', result: [] })
  if (call.data === toFunctionSelector('connectorTokens()'))
    return encodeFunctionResult({ abi, functionName: 'connectorTokens', result: [] })
  return undefined
}

function isQuoterCall(data: Hex): boolean {
  return quoterAbi.some(
    (item) => item.type === 'function' && data.startsWith(toFunctionSelector(item)),
  )
}

/** Runs code that a call brings along: a sum of balance and storage if it brings those too, else a gas meter. */
function runPlaced({ gas, to }: { to: Hex; gas: Hex }, overrides: unknown): Hex {
  if (overrides === undefined) return '0x'
  const { balance, stateDiff } = (overrides as Record<Hex, Placed>)[to] ?? {}
  const stored = Object.values(stateDiff ?? {}).map(BigInt)
  const result = stored.reduce((sum, word) => sum + word, BigInt(balance ?? 0))
  return toHex(balance === undefined ? BigInt(gas) : result, { size: 32 })
}

type Placed = { balance?: Hex; stateDiff?: Record<Hex, Hex> }

function ethCall(node: FakeNode, asked: Call): string | RpcFault {
  const refusal = node.refuse(asked)
  if (refusal !== undefined) return refusal
  const [call, tag, overrides] = asked.params
  const number = tag === 'latest' ? node.head : numberOf(node, tag)
  if (number === undefined) return { code: -32_000, message: 'header not found' }
  if (call.to === echoAt) return call.data
  if (call.data === '0x') return runPlaced(call, overrides)
  const known = node.answers[`${call.to} ${call.data}`.toLowerCase()]
  if (known !== undefined) return known
  const venues = venuesOf(asked)
  if (venues !== undefined) return venues
  if (isBalanceCall(call.data)) return toHex(0, { size: 32 })
  const dataFee = dataFeeOf(node, call.data)
  if (dataFee !== undefined) return dataFee
  if (!isQuoterCall(call.data)) return { code: 3, message: 'execution reverted' }
  const { args, functionName } = decodeFunctionData({ abi: quoterAbi, data: call.data })
  const [tokenIn, tokenOut, amountIn, options] = args as AskArgs
  const isExact = functionName === 'previewPlanExact'
  const { connectors = [], pools = [] } = options ?? {}
  const trade = { tokenIn, tokenOut, amountIn, isExact, connectors, pools, overrides }
  const plan = node.plan(trade, number)
  if ('code' in plan) return plan
  const witness = {
    chainId: node.chainId,
    blockNumber: BigInt(number),
    timestamp: BigInt(node.genesis + 2 * number),
    parentHash: blockHash(number - 1, node.salt),
  }
  const result = { ...plan, witness: plan.witness.parentHash === '0x' ? witness : plan.witness }
  return encodeFunctionResult({
    abi: quoterAbi,
    functionName: 'previewPlanExact',
    result: result as never,
  })
}

type AskArgs = readonly [Hex, Hex, bigint, Partial<Pick<Ask, 'connectors' | 'pools'>>?]

function numberOf(node: FakeNode, tag: unknown): number | undefined {
  if (typeof tag === 'string') return Number(tag)
  const { blockHash: hash } = tag as { blockHash: Hex }
  for (let number = node.head; number > node.head - 8; number--)
    if (blockHash(number, node.salt) === hash) return number
  return undefined
}
