import type { Undeployed } from '@sluice/domain'
import {
  type BalanceRead,
  type Budget,
  callBatch,
  createBudget,
  ethCalls,
  type Failure,
  isAnswer,
  noteChain,
  type RpcCall,
  type RpcOutcome,
  race,
  rankUpstreams,
  type Upstream,
} from '@sluice/rpc'
import { type Address, type Hex, numberToHex } from 'viem'
import { type ChainState, doubtHead, hasFreshHead, noteHead } from '../ChainState.js'
import { type Block, type Head, parseHead } from '../heads/Head.js'
import { readHead } from '../heads/readHead.js'
import { refreshHeadsBy } from '../heads/refreshHeads.js'
import { maxRequests } from '../support/maxRequests.js'
import { foreignFailure } from './foreignFailure.js'
import type { FailureReport } from './PlanAnswer.js'

export type PinnedCall = {
  readonly from?: Address | undefined
  readonly to: Address
  readonly data: Hex
  /** @default 3,000,000 */
  readonly gas?: bigint | undefined
  /** State override of the call. */
  readonly override?: Undeployed.StateOverride | undefined
  /** State that the caller of the service asks for. */
  readonly foreign?: Undeployed.StateOverride | undefined
  /** Amount of native coin sent with the call. */
  readonly value?: Hex | undefined
}

/** A read of an account's native balance. Its result is one word, like a call's. */
export type PinnedBalance = BalanceRead

/** Result of one call in the EVM. */
export type PinnedResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly how: 'revert' | 'halt'; readonly data?: unknown }

export type PinnedRead =
  /** Results in the order of the calls, all at `block`. */
  | { readonly ok: true; readonly block: Head; readonly results: readonly PinnedResult[] }
  | { readonly ok: false; readonly failure: Failure }

/** Default gas limit of a call: the same on every node, so that all get the same result. */
const callGas = 3_000_000n
/** Maximum number of nodes asked. */
const maxAttempts = 3

/**
 * Makes several calls on one block: the chain's head, by hash if the node supports that. The response must include the
 * header of that block and the chain id, so that neither another branch nor another chain can answer.
 */
export async function readPinned(
  state: ChainState,
  calls: readonly (PinnedCall | PinnedBalance)[],
  options: readPinned.Options,
): Promise<PinnedRead> {
  const startedAt = performance.now()
  let read: PinnedRead = { ok: false, failure: 'connect' }
  const { budget = createBudget({ requests: maxRequests.quote }) } = options
  const isForeign = calls.some((call) => 'foreign' in call && call.foreign !== undefined)
  const { failure } = await race({
    upstreams: rankUpstreams(state.upstreams, startedAt, budget.slow)
      .filter(({ can }) => !options.needsOverrides || can.takesOverrides !== false)
      .slice(0, maxAttempts),
    endsAt: startedAt + options.budgetMs,
    maxAttempts,
    mode: 'header',
    hedging: state.hedging,
    slow: budget.slow,
    signal: options.signal,
    async attempt(upstream, attemptOptions) {
      const attempted = await readFrom(state, upstream, calls, {
        ...options,
        ...attemptOptions,
        budget,
      })
      if (attempted.ok) read = attempted
      if (attempted.ok) return undefined
      return isForeign ? foreignFailure(attempted.failure) : attempted.failure
    },
    // The chain may have moved between two reads; that is not the node's fault.
    asksAgain: (failed) =>
      ['moved', 'wrong_block', 'not_ready'].includes(failed) ? 'last' : undefined,
    onFailure: ({ label }, failed) => options.onFailure?.({ upstream: label, failure: failed }),
    onHedge: ({ label }) => options.onHedge?.({ upstream: label }),
  })
  return failure === undefined ? read : { ok: false, failure }
}

export declare namespace readPinned {
  type Options = {
    /** Time limit for all attempts together, in milliseconds. */
    budgetMs: number
    /** Node requests are charged to this budget. @default a budget of its own */
    budget?: Budget | undefined
    /** Budget for head reads. @default `budget` */
    forHeads?: Budget | undefined
    /** Block to read on. @default the chain's head */
    block?: Block | undefined
    /** Whether to skip nodes that take no state overrides. */
    needsOverrides?: boolean | undefined
    /** Returns whether the results can be true. If not, another node is asked. */
    accepts?: ((results: readonly PinnedResult[], block: Head) => boolean) | undefined
    /** Unix milliseconds. */
    now: () => number
    signal?: AbortSignal | undefined
    onFailure?: ((report: FailureReport) => void) | undefined
    /** Called when a second node is asked because the first is slower than usual. */
    onHedge?: ((report: { upstream: string }) => void) | undefined
  }
}

type AttemptOptions = race.AttemptOptions & {
  accepts?: readPinned.Options['accepts']
  /** Whether this is the second attempt, after the chain dropped the first block. */
  isAgain?: boolean
  now: () => number
  block?: Block | undefined
  budget: Budget
  forHeads?: Budget | undefined
}

async function readFrom(
  state: ChainState,
  upstream: Upstream,
  calls: readonly (PinnedCall | PinnedBalance)[],
  options: AttemptOptions,
): Promise<PinnedRead> {
  const endsAt = performance.now() + options.timeoutMs
  const head = options.block ?? (await freshHead(state, upstream, options))
  if ('failure' in head) return { ok: false, failure: head.failure }
  const reads: RpcCall[] = [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: [numberToHex(head.number), false] },
  ]
  const asked = calls.map((call) =>
    'balanceOf' in call ? call : { ...call, gas: call.gas ?? callGas },
  )
  const left = { ...options, timeoutMs: endsAt - performance.now() }
  const request = { reads, calls: asked, at: head }
  const [chainId, header, ...outcomes] = await ethCalls(upstream, request, left)
  const found = blockOf(state, head, { chainId: chainId!, header: header! })
  const missing = outcomes.map(noAnswerOf).find((each) => each !== undefined)
  if (!('failure' in found)) noteChain(upstream, true)
  if (!('failure' in found) && missing === undefined) {
    const results = outcomes.map(resultOf)
    const isAccepted = options.accepts?.(results, found) !== false
    return isAccepted ? { ok: true, block: found, results } : { ok: false, failure: 'bad_response' }
  }
  const failure = 'failure' in found ? found.failure : missing!
  if (failure === 'wrong_chain') noteChain(upstream, false)
  if (failure !== 'wrong_block' && failure !== 'not_ready') return { ok: false, failure }
  doubtHead(state, head)
  const rest = { ...options, timeoutMs: endsAt - performance.now() }
  if (!(await hasLeft(state, upstream, head, rest))) return { ok: false, failure }
  if (options.block !== undefined || options.isAgain) return { ok: false, failure: 'moved' }
  return await readFrom(state, upstream, calls, {
    ...options,
    isAgain: true,
    timeoutMs: endsAt - performance.now(),
  })
}

/** Whether the chain may have dropped a block since it was chosen. Then no node has it, and none is at fault. */
async function hasLeft(
  state: ChainState,
  upstream: Upstream,
  asked: Block,
  options: AttemptOptions,
): Promise<boolean> {
  const latest = await freshHead(state, upstream, options)
  if ('failure' in latest || asked.hash === undefined) return false
  if (latest.number === asked.number) return latest.hash !== asked.hash
  if (latest.number === asked.number + 1n) return latest.parentHash !== asked.hash
  // Too far apart to tell. A second attempt at the latest block will show it.
  return true
}

/** Returns the chain's head. If none could be confirmed, returns the node's own head or its failure. */
async function freshHead(
  state: ChainState,
  upstream: Upstream,
  options: AttemptOptions,
): Promise<Head | { failure: Failure }> {
  const { budget, forHeads = budget, now, signal, timeoutMs } = options
  const asOf = performance.now()
  if (!hasFreshHead(state, asOf)) {
    const endsAt = asOf + timeoutMs
    const isOver = await refreshHeadsBy(state, { now, signal, asOf, endsAt, budget: forHeads })
    // The time or the budget ran out. With time left, it is not this node's fault.
    if (!isOver) return { failure: performance.now() < endsAt ? 'cancelled' : 'timeout' }
  }
  if (hasFreshHead(state, asOf) && state.head !== undefined) return state.head
  const askedAt = performance.now()
  const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const [outcome] = await callBatch(upstream, [latest], options)
  const head = readHead(state, outcome!, now())
  if (!('failure' in head)) noteHead(state, upstream, head, askedAt)
  return head
}

/** Returns the node's header of the block, if it is the requested one. */
function blockOf(
  state: ChainState,
  asked: Block,
  { chainId, header }: { chainId: RpcOutcome; header: RpcOutcome },
): Head | { failure: Failure } {
  for (const outcome of [chainId, header])
    if (!outcome.ok)
      return { failure: isAnswer(outcome.failure) ? 'bad_response' : outcome.failure }
  if (Number((chainId as { result: unknown }).result) !== state.chain.chainId)
    return { failure: 'wrong_chain' }
  const found = parseHead((header as { result: unknown }).result)
  const isAsked =
    found !== undefined &&
    (asked.hash === undefined ? isSame(found, asked) : found.hash === asked.hash)
  return isAsked ? found : { failure: 'wrong_block' }
}

/** Compares with a block that is known only from a witness, without its hash. */
function isSame(found: Head, { number, parentHash, timestamp }: Block): boolean {
  return found.number === number && found.parentHash === parentHash && found.timestamp === timestamp
}

/** Returns the failure of an outcome that is not a result of the EVM. */
function noAnswerOf(outcome: RpcOutcome): Failure | undefined {
  if (!outcome.ok) return isAnswer(outcome.failure) ? undefined : outcome.failure
  return isHex(wordOf(outcome.result)) ? undefined : 'bad_response'
}

/** Converts a quantity to the data that a call would return. */
function wordOf(result: unknown): unknown {
  const isQuantity = typeof result === 'string' && /^0x[0-9a-f]{1,63}$/.test(result)
  return isQuantity && result.length % 2 === 1 ? `0x0${result.slice(2)}` : result
}

function resultOf(outcome: RpcOutcome): PinnedResult {
  if (outcome.ok) return { ok: true, data: wordOf(outcome.result) as Hex }
  return { ok: false, how: outcome.failure as 'revert' | 'halt', data: outcome.data }
}

function isHex(value: unknown): boolean {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/.test(value)
}
