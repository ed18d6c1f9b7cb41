import { Plan, PlanCall } from '@sluice/domain'
import type { Hex } from 'viem'
import { type ChainState, doubtHead, noteHead } from './ChainState.js'
import { type Block, type Head, isSameBlock, parseHead, provenBlock } from './Head.js'
import { revertName } from './revertName.js'
import { callBatch, type RpcCall, type RpcOutcome } from './rpc/callBatch.js'
import { type Failure, isAnswer } from './rpc/failures.js'
import type { Upstream } from './rpc/Upstream.js'

/** One question to the Quoter, with its calldata. */
export type PlanAsk = { readonly question: PlanCall.PlanQuestion; readonly data: Hex }

/** The chain's answer to one question. */
export type PlanAnswer =
  | { readonly kind: 'plan'; readonly plan: Plan.Plan }
  /** The EVM gave no answer: no witness, so nothing is known about routes. */
  | {
      readonly kind: 'stopped'
      readonly how: 'revert' | 'halt'
      readonly error?: string | undefined
    }
  /** No node gave a valid answer; the last reason. */
  | { readonly kind: 'failed'; readonly failure: Failure }

export type PlanAnswers = {
  /** In the order of the questions; the plans among them are all of `block`. */
  readonly answers: readonly PlanAnswer[]
  readonly block: Block | undefined
  readonly rpcTried: number
}

export type FailureReport = { upstream: string; failure: Failure }

/** At most so many requests to nodes for one answer. */
const maxAttempts = 3

/**
 * Asks a chain's nodes, one after the other, until every question is answered or the budget is used up.
 *
 * One request carries the latest header and all calls, so a fresh answer costs one round trip. The witness in each plan
 * says which block it was computed on; a plan of any other block than the header's (or its child's) is thrown away.
 * Once a block is proven, later requests ask for that block, so all plans of one answer are of one block.
 */
export async function askPlans(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: askPlans.Options,
): Promise<PlanAnswers> {
  const { budgetMs, onFailure, signal } = options
  const endsAt = performance.now() + budgetMs
  const queue = state.upstreams.filter((upstream) => !upstream.isExcluded).slice(0, maxAttempts)
  const round: Round = { asks, answers: asks.map(() => undefined), pin: undefined, isProven: false }
  let rpcTried = 0
  let failure: Failure = 'connect'
  while (queue.length > 0 && rpcTried < maxAttempts && !signal?.aborted) {
    const upstream = queue.shift()!
    const timeoutMs = (endsAt - performance.now()) / (queue.length + 1)
    if (timeoutMs <= 0) break
    rpcTried++
    const failed = await attempt(state, upstream, round, {
      timeoutMs,
      signal,
      isLast: queue.length === 0,
      now: options.now,
    })
    if (failed === undefined) break
    failure = failed
    onFailure?.({ upstream: upstream.label, failure })
    // The chain moved between two reads, which says nothing against the node.
    const hasMoved = failure === 'wrong_block' || (failure === 'not_ready' && round.pin)
    if (failure === 'not_ready') unpin(round)
    if (hasMoved && queue.length === 0) queue.push(upstream)
  }
  return {
    answers: round.answers.map((answer) => answer ?? { kind: 'failed', failure }),
    block: round.isProven ? round.pin : undefined,
    rpcTried,
  }
}

export declare namespace askPlans {
  type Options = {
    /** Milliseconds for all attempts together. */
    budgetMs: number
    /** Unix milliseconds. */
    now: () => number
    signal?: AbortSignal | undefined
    onFailure?: ((report: FailureReport) => void) | undefined
  }
}

/** What one answer's attempts have in common. */
type Round = {
  readonly asks: readonly PlanAsk[]
  readonly answers: (PlanAnswer | undefined)[]
  /** Block that the next attempt asks for. */
  pin: Block | undefined
  /** A plan's witness has spoken for `pin`. */
  isProven: boolean
}

type AttemptOptions = {
  timeoutMs: number
  signal: AbortSignal | undefined
  /** Nobody can be asked to confirm. */
  isLast: boolean
  now: () => number
}

/** @returns Why questions are left open, or `undefined` when none is. */
async function attempt(
  state: ChainState,
  upstream: Upstream,
  round: Round,
  options: AttemptOptions,
): Promise<Failure | undefined> {
  const open = round.asks.flatMap((ask, index) =>
    isOpen(round.answers[index]) ? [{ ask, index }] : [],
  )
  const askedAt = performance.now()
  const calls = [latestHeader, ...open.map(({ ask }) => ethCall(state, ask, round.pin))]
  const [header, ...outcomes] = await callBatch(upstream, calls, options)
  const head = readHead(state, header!, options.now())
  if ('failure' in head) return head.failure
  noteHead(state, head, askedAt)
  let failure: Failure | undefined
  for (const [place, { ask, index }] of open.entries()) {
    const answer = readPlan(state, head, round, ask, outcomes[place]!)
    if (answer.kind === 'failed') {
      failure = answer.failure
      if (failure === 'wrong_chain') upstream.isExcluded = true
      continue
    }
    // Gas caps differ between nodes, so a halt is believed when a second node says so.
    const isConfirmed =
      answer.kind !== 'stopped' || answer.how === 'revert' || round.answers[index] !== undefined
    round.answers[index] = answer
    if (!isConfirmed && !options.isLast) failure = 'halt'
  }
  if (failure === 'wrong_block' && !round.isProven) round.pin = head
  return failure
}

/** Starts over: the block is gone, so what was read of it cannot be completed. */
function unpin(round: Round): void {
  round.pin = undefined
  round.isProven = false
  round.answers.fill(undefined)
}

const latestHeader: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

function isOpen(answer: PlanAnswer | undefined): boolean {
  return answer === undefined || (answer.kind === 'stopped' && answer.how === 'halt')
}

function ethCall(state: ChainState, ask: PlanAsk, pin: Block | undefined): RpcCall {
  const gas = ask.question.isExact ? PlanCall.exactGas : PlanCall.previewGas
  const to = state.chain.contracts.quoter
  const call = { to, data: ask.data, gas: `0x${gas.toString(16)}` }
  return { method: 'eth_call', params: [call, blockTag(pin)] }
}

function blockTag(pin: Block | undefined) {
  if (pin === undefined) return 'latest'
  return pin.hash === undefined ? `0x${pin.number.toString(16)}` : { blockHash: pin.hash }
}

function readHead(
  state: ChainState,
  outcome: RpcOutcome,
  now: number,
): Head | { failure: Failure } {
  if (!outcome.ok) return { failure: isAnswer(outcome.failure) ? 'bad_response' : outcome.failure }
  const head = parseHead(outcome.result)
  if (head === undefined) return { failure: 'bad_response' }
  const ageMs = now - Number(head.timestamp) * 1_000
  if (state.maxBlockAgeMs !== undefined && ageMs > state.maxBlockAgeMs) return { failure: 'stale' }
  return head
}

function readPlan(
  state: ChainState,
  head: Head,
  round: Round,
  ask: PlanAsk,
  outcome: RpcOutcome,
): PlanAnswer {
  if (!outcome.ok)
    return isAnswer(outcome.failure)
      ? { kind: 'stopped', how: outcome.failure, error: revertName(outcome.data) }
      : { kind: 'failed', failure: outcome.failure }
  const plan = decodePlan(outcome.result, ask)
  if (plan === undefined) return { kind: 'failed', failure: 'bad_response' }
  if (plan.witness.chainId !== BigInt(state.chain.chainId))
    return { kind: 'failed', failure: 'wrong_chain' }
  const block = round.pin ?? provenBlock(head, plan.witness)
  if (block === undefined || !isSameBlock(block, plan.witness))
    return { kind: 'failed', failure: 'wrong_block' }
  if (block.hash === undefined) doubtHead(state)
  round.pin = block
  round.isProven = true
  return { kind: 'plan', plan }
}

function decodePlan(result: unknown, ask: PlanAsk): Plan.Plan | undefined {
  if (typeof result !== 'string' || !/^0x[0-9a-f]+$/.test(result)) return undefined
  try {
    const plan = PlanCall.decode(result as Hex)
    return Plan.problem(plan, ask.question) === undefined ? plan : undefined
  } catch {
    return undefined
  }
}
