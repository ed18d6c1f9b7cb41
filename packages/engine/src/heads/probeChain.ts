import { PlanCall } from '@sluice/domain'
import {
  callBatch,
  type Failure,
  isAnswer,
  isNodesFault,
  noteChain,
  type RpcCall,
  type RpcOutcome,
  Standing,
  type Upstream,
} from '@sluice/rpc'
import { type Hex, numberToHex } from 'viem'
import { type ChainState, noteHead, settleHead } from '../ChainState.js'
import { readHead } from './readHead.js'

const timeoutMs = 2_000

export type ProbeOptions = {
  /** Unix milliseconds. */
  now: () => number
  signal?: AbortSignal | undefined
}

/**
 * Asks every node of a chain which chain it serves, whether the Router and the Quoter have code there, and what it
 * supports. Excludes a node that serves another chain, for example because of a mistyped URL.
 */
export async function probeChain(state: ChainState, options: ProbeOptions): Promise<void> {
  const startedAt = performance.now()
  // Retry batches: an earlier refusal may have had another cause.
  for (const { can } of state.upstreams) can.takesBatches = true
  await Promise.all(state.upstreams.map((upstream) => probe(state, upstream, options)))
  // All nodes were asked, so those that answered decide.
  settleHead(state, 1, startedAt)
}

/** Probes only the nodes that are excluded, resting or demoted, so that they return soon after they recover. */
export async function probeOutcasts(state: ChainState, options: ProbeOptions): Promise<void> {
  const outcasts = state.upstreams.filter((upstream) => isOutcast(upstream, performance.now()))
  await Promise.all(outcasts.map((upstream) => probe(state, upstream, options)))
}

function isOutcast({ isExcluded, standing }: Upstream, now: number): boolean {
  if (Standing.isResting(standing, now)) return Standing.isRested(standing, now)
  return isExcluded || Standing.isDemoted(standing)
}

async function probe(state: ChainState, upstream: Upstream, options: ProbeOptions): Promise<void> {
  const { quoter, router } = state.chain.contracts
  const askedAt = performance.now()
  const limits = { timeoutMs, signal: options.signal }
  const [chainId, header, quoterCode, routerCode, atNoBlock, metered, cancun, plain, echoed] =
    await callBatch(
      upstream,
      [
        askChainId,
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
        { method: 'eth_getCode', params: [quoter, 'latest'] },
        { method: 'eth_getCode', params: [router, 'latest'] },
        { method: 'eth_call', params: [capabilityCall(modestGas), { blockHash: noBlock }] },
        meteredCall(PlanCall.fullGas),
        meteredCall(modestGas, cancunMeter),
        meteredCall(modestGas),
        { method: 'eth_call', params: [echoCall, 'latest'] },
      ],
      limits,
    )
  const head = readHead(state, header!, options.now())
  // This call cannot revert. A node that reports a revert would report one for every call.
  const isLying = !metered!.ok && metered!.failure === 'revert'
  noteConduct(upstream, isLying || ('failure' in head && isNodesFault(head.failure)))
  if (!chainId!.ok) return
  if (!(await isRightChain(state, upstream, chainId!, limits)))
    return state.heads.forget(upstream.label, Number.POSITIVE_INFINITY)
  if (!('failure' in head)) noteHead(state, upstream, head, askedAt)
  if (hasCode(quoterCode!) && hasCode(routerCode!)) state.isProbed = true
  if (!isEcho(echoed!)) return
  noteCancun(upstream, cancun!, plain!)
  await noteOverrides(upstream, metered!, limits)
  const hash = 'failure' in head ? undefined : head.hash
  await noteBlockHash(upstream, { atNoBlock: atNoBlock!, hash }, limits)
}

const askChainId: RpcCall = { method: 'eth_chainId', params: [] }

/** Asks again if the answer names another chain: a single answer can be corrupt. */
async function isRightChain(
  state: ChainState,
  upstream: Upstream,
  first: RpcOutcome,
  limits: callBatch.Options,
): Promise<boolean> {
  const isRight = (outcome: RpcOutcome) =>
    outcome.ok && Number(outcome.result) === state.chain.chainId
  noteChain(upstream, isRight(first))
  if (isRight(first)) return true
  const [second] = await callBatch(upstream, [askChainId], limits)
  if (second!.ok) noteChain(upstream, isRight(second!))
  return isRight(second!)
}

/** Records recovery and failure of demoted and resting nodes only. Quotes judge the others. */
function noteConduct({ standing }: Upstream, hasFailed: boolean): void {
  const now = performance.now()
  if (Standing.isResting(standing, now) && !hasFailed) Standing.wake(standing)
  if (!Standing.isDemoted(standing)) return
  if (hasFailed) Standing.fail(standing, now)
  else Standing.succeed(standing, now)
}

/** A block hash that does not exist. */
const noBlock: Hex = `0x${'5c'.repeat(32)}`
const somewhere = '0x00000000000000000000000000000000005c5c5c'
/** Bytecode that returns the remaining gas: GAS, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const gasMeter: Hex = '0x5a60005260206000f3'
/** The same, after opcodes of Cancun: PUSH1 0, TLOAD, PUSH1 0, PUSH1 0, MCOPY. */
const cancunMeter: Hex = '0x60005c600060005e5a60005260206000f3'
/**
 * Call to the identity precompile. If it does not return its input, the whole response is unreliable and says nothing
 * about what the node supports.
 */
const echoCall = { to: '0x0000000000000000000000000000000000000004', data: '0x5c' } as const
/** Below the gas cap of every node. */
const modestGas = 1_000_000n

function capabilityCall(gas: bigint) {
  return { to: somewhere, data: '0x', gas: numberToHex(gas) }
}

/** Call to code that exists only as a state override. Shows whether the node takes overrides and this much gas. */
function meteredCall(gas: bigint, code = gasMeter): RpcCall {
  return {
    method: 'eth_call',
    params: [capabilityCall(gas), 'latest', { [somewhere]: { code } }],
  }
}

/** If the same call without these opcodes works, the halt is due to them. */
function noteCancun({ can }: Upstream, cancun: RpcOutcome, plain: RpcOutcome): void {
  if (cancun.ok && isWord(cancun.result)) can.hasCancun = true
  else if (!cancun.ok && cancun.failure === 'halt' && plain.ok && isWord(plain.result))
    can.hasCancun = false
}

/**
 * Records whether the node takes state overrides, and its gas cap. Failures other than a refusal say nothing about
 * either.
 */
async function noteOverrides(
  upstream: Upstream,
  metered: RpcOutcome,
  limits: callBatch.Options,
): Promise<void> {
  const { can } = upstream
  if (metered.ok) {
    can.takesOverrides = isWord(metered.result)
    if (can.takesOverrides) can.gasCap = undefined
    return
  }
  if (metered.failure === 'unsupported') can.takesOverrides = false
  if (metered.failure !== 'gas_cap' && metered.failure !== 'server') return
  // Whatever the error says, the gas was the reason if the same call with less gas works in the same batch.
  const cap = metered.gasCap ?? PlanCall.readersGas
  const calls = [cap, PlanCall.fullGas].map((gas) => meteredCall(gas))
  const [less, more] = await callBatch(upstream, calls, limits)
  if (!less!.ok || !isWord(less!.result) || more!.ok) return
  can.takesOverrides = true
  can.gasCap = cap
}

/**
 * Records whether the node takes block hashes. A node that answers a call at a hash that does not exist ignores the
 * hash. A node that answers a call at `latest` but refuses the same call at the head's hash does not take hashes,
 * whatever its error says.
 */
async function noteBlockHash(
  upstream: Upstream,
  { atNoBlock, hash }: { atNoBlock: RpcOutcome; hash: Hex | undefined },
  limits: callBatch.Options,
): Promise<void> {
  const { can } = upstream
  if (atNoBlock.ok) {
    can.takesBlockHash = false
    return
  }
  if (hash === undefined) return
  const call = capabilityCall(modestGas)
  const [byHash, plain] = await callBatch(
    upstream,
    [
      { method: 'eth_call', params: [call, { blockHash: hash }] },
      { method: 'eth_call', params: [call, 'latest'] },
    ],
    limits,
  )
  if (isByEvm(byHash!)) can.takesBlockHash = true
  else if (isByEvm(plain!) && !byHash!.ok && isRefusal(byHash!.failure)) can.takesBlockHash = false
}

/**
 * Whether a failure can mean that hashes are refused. Excludes temporary failures, and `not_ready`, since the block may
 * just have been dropped.
 */
function isRefusal(failure: Failure): boolean {
  return !['rate_limited', 'timeout', 'connect', 'not_ready', 'cancelled'].includes(failure)
}

function isByEvm(outcome: RpcOutcome): boolean {
  return outcome.ok || isAnswer(outcome.failure)
}

function isEcho(outcome: RpcOutcome): boolean {
  return outcome.ok && outcome.result === echoCall.data
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
}

function hasCode(outcome: RpcOutcome): boolean {
  return outcome.ok && typeof outcome.result === 'string' && /^0x[0-9a-f]{2}/.test(outcome.result)
}
