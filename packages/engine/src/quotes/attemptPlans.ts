import { type Plan, PlanCall, PlanChecks, Reverts } from '@sluice/domain'
import {
  type Budget,
  type EthCall,
  ethCalls,
  type Failure,
  isAnswer,
  noteChain,
  type RpcCall,
  type RpcOutcome,
  type race,
  Standing,
  type Upstream,
} from '@sluice/rpc'
import type { Hex } from 'viem'
import {
  type ChainState,
  doubtHead,
  hasFreshHead,
  hasManyHosts,
  isPlural,
  noteHead,
  settleHead,
} from '../ChainState.js'
import { type Block, type Head, isSameBlock, provenBlock } from '../heads/Head.js'
import { farApart } from '../heads/Heads.js'
import { readHead } from '../heads/readHead.js'
import { refreshHeadsBy } from '../heads/refreshHeads.js'
import type { PlanAnswer, PlanAsk } from './PlanAnswer.js'

/** What one answer's attempts have in common. */
export type Round = {
  readonly asks: readonly PlanAsk[]
  readonly answers: (PlanAnswer | undefined)[]
  /** Nodes whose stops no second host has confirmed, by question. */
  readonly unconfirmed: Map<number, Upstream>
  /** Block that the next attempt asks for. */
  pin: Block | undefined
  /** Nodes that did not have the block that was asked for. */
  readonly without: Set<string>
  /** A plan's witness has spoken for `pin`. */
  isProven: boolean
  /** Hosts whose answers these are. */
  readonly hosts: Set<string>
}

export function newRound(asks: readonly PlanAsk[], pin?: Block): Round {
  return {
    asks,
    answers: asks.map(() => undefined),
    unconfirmed: new Map(),
    pin,
    without: new Set(),
    isProven: false,
    hosts: new Set(),
  }
}

/** Starts over: the block is gone, so what was read of it cannot be completed. */
function unpin(round: Round): void {
  round.pin = undefined
  round.isProven = false
  round.answers.fill(undefined)
  round.unconfirmed.clear()
  round.hosts.clear()
}

/**
 * Puts the open questions to one node.
 *
 * @returns Why questions are left open, or `undefined` when none is.
 */
export async function attemptPlans(
  state: ChainState,
  upstream: Upstream,
  round: Round,
  options: attemptPlans.Options,
): Promise<Failure | undefined> {
  const { budget, forHeads = budget, now, signal, timeoutMs } = options
  if (round.without.has(upstream.label)) unpin(round)
  const open = round.asks.flatMap((ask, index) =>
    round.answers[index] === undefined || round.unconfirmed.has(index) ? [{ ask, index }] : [],
  )
  const askedAt = performance.now()
  const endsAt = askedAt + timeoutMs
  const knowsHead = () => hasFreshHead(state, askedAt)
  if (isPlural(state) && knowsHead()) round.pin ??= state.head
  const { pin } = round
  const needsHead = pin === undefined && isPlural(state)
  const refreshed = needsHead
    ? refreshHeadsBy(state, { now, signal, asOf: askedAt, endsAt, budget: forHeads })
    : undefined
  const calls = open.map(({ ask }) => callOf(state, ask))
  const request = { reads: [latestHeader], calls, at: pin ?? ('latest' as const) }
  const [header, ...outcomes] = await ethCalls(upstream, request, options)
  const head = readHead(state, header!, now())
  if ('failure' in head) {
    if (head.failure !== 'cancelled') state.heads.forget(upstream.label, askedAt)
    return head.failure
  }
  noteHead(state, upstream, head, askedAt)
  if (refreshed !== undefined && !knowsHead()) {
    const isOver = await refreshed
    if (!isOver || signal.aborted) return 'cancelled'
    // All were asked and none answered but this one, so there is nobody to confirm its word.
    if (!knowsHead()) settleHead(state, 1, askedAt - state.headFreshMs)
    if (!knowsHead() && round.pin === undefined) return 'cancelled'
  }
  const expected = round.pin ?? (needsHead ? state.head : undefined)
  const reading = { state, upstream, round, head, expected, isPinned: pin !== undefined }
  const failure = readOutcomes(reading, open, outcomes)
  if (failure === 'not_ready' && pin !== undefined) missPin(state, upstream, round)
  return failure
}

/**
 * Takes note that a node does not have the block that was asked for. It may be gone; but one node alone may be behind as
 * well, or on a branch of its own, so the next one is asked for it too.
 */
function missPin(state: ChainState, { label }: Upstream, round: Round): void {
  const isSecond = round.without.size > 0
  doubtHead(state, isSecond ? round.pin : undefined)
  round.without.add(label)
  if (isSecond || !isPlural(state)) unpin(round)
}

export declare namespace attemptPlans {
  type Options = race.AttemptOptions & {
    /** Unix milliseconds. */
    now: () => number
    /** What is sent is taken from it. */
    budget?: Budget | undefined
    /** The same for looks at heads. @default `budget` */
    forHeads?: Budget | undefined
  }
}

type Reading = {
  state: ChainState
  upstream: Upstream
  round: Round
  /** The node's own latest header. */
  head: Head
  /** Block that the plans must be of; without it the node's own latest. */
  expected: Block | undefined
  /** The calls named their block. */
  isPinned: boolean
}

function readOutcomes(
  reading: Reading,
  open: readonly { ask: PlanAsk; index: number }[],
  outcomes: readonly RpcOutcome[],
): Failure | undefined {
  const { expected, head, round, upstream } = reading
  let failure: Failure | undefined
  for (const [place, { ask, index }] of open.entries()) {
    const answer = readPlan(reading, ask, outcomes[place]!)
    const isLost = ask.isTrial === true && isOfTheCall(answer)
    if (answer.kind === 'failed' && !isLost) {
      failure = answer.failure
      if (failure === 'wrong_chain') noteChain(upstream, false)
      continue
    }
    if (isLost) round.answers[index] = answer
    else if (!settle(reading, index, answer as Answered)) failure = (answer as Stopped).how
  }
  if ((failure === 'wrong_block' || failure === 'moved') && !round.isProven)
    round.pin = expected ?? head
  return failure
}

/** Whether an answer is missing for the call's own sake, and not for the block's or the chain's. */
function isOfTheCall(answer: PlanAnswer): boolean {
  if (answer.kind !== 'failed') return answer.kind === 'stopped'
  return !['wrong_block', 'moved', 'not_ready', 'wrong_chain'].includes(answer.failure)
}

type Stopped = Extract<PlanAnswer, { kind: 'stopped' }>
type Answered = Exclude<PlanAnswer, { kind: 'failed' }>

/**
 * Takes an answer of the chain. A stop holds no witness, a node can make it up, and gas caps differ: it is believed when
 * a second host says so if there is one. A plan proves itself, so a node that said that the call reverts was wrong.
 *
 * @returns Whether the question is closed.
 */
function settle({ round, state, upstream }: Reading, index: number, answer: Answered): boolean {
  const { answers, unconfirmed } = round
  const [before, first] = [answers[index], unconfirmed.get(index)]
  const isSecond = first !== undefined && first.host !== upstream.host
  answers[index] = answer.kind === 'stopped' && isSecond ? { ...answer, isConfirmed: true } : answer
  if (answer.kind === 'stopped' && !isSecond && (first !== undefined || hasManyHosts(state))) {
    unconfirmed.set(index, upstream)
    return false
  }
  unconfirmed.delete(index)
  const isRefuted = answer.kind === 'plan' && before?.kind === 'stopped' && before.how === 'revert'
  if (isRefuted && first !== undefined) Standing.refute(first.standing, performance.now())
  return true
}

const latestHeader: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

function callOf(state: ChainState, { data, override, question, quoter }: PlanAsk): EthCall {
  const gas = PlanCall.fullGas(question)
  return { to: quoter, data, gas, override: state.chain.stateOverride, funds: override }
}

/** What is given along to a node that takes overrides, or may take them. */
function fundsOf({ can }: Upstream, { override }: PlanAsk) {
  return can.takesOverrides === false ? undefined : override
}

function readPlan(reading: Reading, ask: PlanAsk, outcome: RpcOutcome): PlanAnswer {
  const { expected, head, round, state } = reading
  const failure = outcome.ok ? undefined : outcome.failure
  if (failure !== undefined && !isAnswer(failure)) return { kind: 'failed', failure }
  if (!vouches(reading)) return { kind: 'failed', failure: moveOf(reading) }
  if (!outcome.ok) {
    round.hosts.add(reading.upstream.host)
    return { kind: 'stopped', how: failure!, error: Reverts.nameOf(outcome.data) }
  }
  const plan = decodePlan(outcome.result, ask)
  if (plan === undefined) return { kind: 'failed', failure: 'bad_response' }
  if (plan.witness.chainId !== BigInt(state.chain.chainId))
    return { kind: 'failed', failure: 'wrong_chain' }
  noteChain(reading.upstream, true)
  const block = round.pin ?? expected ?? provenBlock(head, plan.witness)
  if (block === undefined || !isSameBlock(block, plan.witness)) {
    const isOwn = provenBlock(head, plan.witness) !== undefined
    return { kind: 'failed', failure: isOwn ? moveOf(reading) : 'wrong_block' }
  }
  if (block.hash === undefined) doubtHead(state)
  round.pin = block
  round.isProven = true
  round.hosts.add(reading.upstream.host)
  const override = fundsOf(reading.upstream, ask)
  const cap = reading.upstream.can.gasCap
  const gas = cap !== undefined && cap < PlanCall.fullGas(ask.question) ? { gas: cap } : {}
  return { kind: 'plan', plan, data: outcome.result as Hex, ...gas, ...(override && { override }) }
}

/**
 * Whether the node's own head agrees with the block that counts. A witness holds no hash of its own block, and two
 * blocks can have one parent, so the witness alone cannot tell them apart.
 */
function vouches({ expected, head, isPinned }: Reading): boolean {
  if (expected?.hash === undefined || expected.hash === head.hash) return true
  return isPinned && expected.number !== head.number
}

/**
 * What a node is told that answered on another block than the one that counts.
 *
 * The block that counts may have become known after the node was asked for its latest, and may be its latest's child by
 * now, or have replaced it. So a node that is near it is asked for that very block, which then tells; one that is far
 * behind is at fault, and so is one that was asked for that block and has another in its place.
 */
function moveOf({ expected, head, isPinned }: Reading): Failure {
  if (isPinned || expected === undefined) return 'wrong_block'
  return head.number >= expected.number - farApart ? 'moved' : 'wrong_block'
}

function decodePlan(result: unknown, ask: PlanAsk): Plan.Plan | undefined {
  if (typeof result !== 'string' || !/^0x[0-9a-f]+$/.test(result)) return undefined
  try {
    const plan = PlanCall.decode(result as Hex)
    return PlanChecks.problem(plan, ask.question) === undefined ? plan : undefined
  } catch {
    return undefined
  }
}
