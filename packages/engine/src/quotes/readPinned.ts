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
import type { FailureReport } from './PlanAnswer.js'

export type PinnedCall = {
  readonly from?: Address | undefined
  readonly to: Address
  readonly data: Hex
  /** @default 3,000,000 */
  readonly gas?: bigint | undefined
  /** State that the call finds in place of the chain's. */
  readonly override?: Undeployed.StateOverride | undefined
  /** Native coin that goes along. */
  readonly value?: Hex | undefined
}

/** A look at an account's native coin; the answer is one word, as a call's. */
export type PinnedBalance = BalanceRead

/** What the EVM said to one call. */
export type PinnedResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly how: 'revert' | 'halt'; readonly data?: unknown }

export type PinnedRead =
  /** In the order of the calls, all at `block`. */
  | { readonly ok: true; readonly block: Head; readonly results: readonly PinnedResult[] }
  | { readonly ok: false; readonly failure: Failure }

/** If a call does not say: the same on every node, so that all come to the same end. */
const callGas = 3_000_000n
/** Nodes that are asked. */
const maxAttempts = 3

/**
 * Makes several calls at one block: the chain's head, named by its hash if the node takes that. The node must also
 * show the header of that block and the chain's id, so neither another branch nor another chain can answer.
 */
export async function readPinned(
  state: ChainState,
  calls: readonly (PinnedCall | PinnedBalance)[],
  options: readPinned.Options,
): Promise<PinnedRead> {
  const startedAt = performance.now()
  let read: PinnedRead = { ok: false, failure: 'connect' }
  const { budget = createBudget({ requests: maxRequests.quote }) } = options
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
      return attempted.ok ? undefined : attempted.failure
    },
    // The chain may have moved between two reads, which says nothing against the node.
    asksAgain: (failed) =>
      ['moved', 'wrong_block', 'not_ready'].includes(failed) ? 'last' : undefined,
    onFailure: ({ label }, failed) => options.onFailure?.({ upstream: label, failure: failed }),
    onHedge: ({ label }) => options.onHedge?.({ upstream: label }),
  })
  return failure === undefined ? read : { ok: false, failure }
}

export declare namespace readPinned {
  type Options = {
    /** Milliseconds for all attempts together. */
    budgetMs: number
    /** What is sent is taken from it. @default one of its own */
    budget?: Budget | undefined
    /** The same for looks at heads. @default `budget` */
    forHeads?: Budget | undefined
    /** Block to ask at if it is settled already. @default the chain's head */
    block?: Block | undefined
    /** Nodes that take no overrides are left out. */
    needsOverrides?: boolean | undefined
    /** Whether the results can be the chain's, for calls of which that can be told: another node is asked if not. */
    accepts?: ((results: readonly PinnedResult[], block: Head) => boolean) | undefined
    /** Unix milliseconds. */
    now: () => number
    signal?: AbortSignal | undefined
    onFailure?: ((report: FailureReport) => void) | undefined
    /** A second node is asked because the first is slower than usual. */
    onHedge?: ((report: { upstream: string }) => void) | undefined
  }
}

type AttemptOptions = race.AttemptOptions & {
  accepts?: readPinned.Options['accepts']
  /** The chain has left the block that was asked for before. */
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

/** Whether the chain may have left a block since it was settled on: then nobody has it, which is no node's fault. */
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
  // Too far to tell: asked again at the latest, the node shows what it is.
  return true
}

/** The chain's head; that of the node if no head could be settled, for the reason at least. */
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
    // Without time or budget for it, which is not this node's fault if there is time left.
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

/** The block as the node shows it, if it is the one that was asked for. */
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

/** As far as a witness tells of a block whose hash is not known yet. */
function isSame(found: Head, { number, parentHash, timestamp }: Block): boolean {
  return found.number === number && found.parentHash === parentHash && found.timestamp === timestamp
}

/** Why an outcome is no word of the EVM. */
function noAnswerOf(outcome: RpcOutcome): Failure | undefined {
  if (!outcome.ok) return isAnswer(outcome.failure) ? undefined : outcome.failure
  return isHex(wordOf(outcome.result)) ? undefined : 'bad_response'
}

/** A quantity as the word that a call would return. */
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
