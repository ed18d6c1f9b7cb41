import { Plan, PlanCall, Reverts } from '@sluice/domain'
import type { Hex } from 'viem'
import type { PlanAnswer, PlanAsk } from './askPlans.js'
import {
  type ChainState,
  doubtHead,
  hasFreshHead,
  hasManyHosts,
  isPlural,
  noteHead,
  settleHead,
} from './ChainState.js'
import { type Block, type Head, isSameBlock, provenBlock } from './Head.js'
import { farApart } from './Heads.js'
import { readHead } from './readHead.js'
import { refreshHeads } from './refreshHeads.js'
import { callBatch, type RpcCall, type RpcOutcome } from './rpc/callBatch.js'
import { type Failure, isAnswer } from './rpc/failures.js'
import type { race } from './rpc/race.js'
import type { Upstream } from './rpc/Upstream.js'

/** What one answer's attempts have in common. */
export type Round = {
  readonly asks: readonly PlanAsk[]
  readonly answers: (PlanAnswer | undefined)[]
  /** Hosts of halts that no second host has confirmed, by question. */
  readonly unconfirmed: Map<number, string>
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
  const { now, signal } = options
  if (round.without.has(upstream.label)) unpin(round)
  const open = round.asks.flatMap((ask, index) =>
    isOpen(round.answers[index], ask) ? [{ ask, index }] : [],
  )
  const askedAt = performance.now()
  const knowsHead = () => hasFreshHead(state, askedAt)
  if (isPlural(state) && knowsHead()) round.pin ??= state.head
  const { pin } = round
  const needsHead = pin === undefined && isPlural(state)
  const refreshed = needsHead ? refreshWithin(state, { ...options, asOf: askedAt }) : undefined
  const tag = blockTag(upstream, pin)
  const calls = [latestHeader, ...open.map(({ ask }) => ethCall(state, upstream, ask, tag))]
  const [header, ...outcomes] = await callBatch(upstream, calls, options)
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
  doubtHead(state)
  const isSecond = round.without.size > 0
  round.without.add(label)
  if (isSecond || !isPlural(state)) unpin(round)
}

export declare namespace attemptPlans {
  type Options = race.AttemptOptions & {
    /** Unix milliseconds. */
    now: () => number
  }
}

/** Whether the chain's nodes have answered, or had their time, before this attempt's is over. */
function refreshWithin(
  state: ChainState,
  { asOf, now, signal, timeoutMs }: attemptPlans.Options & { asOf: number },
): Promise<boolean> {
  const timeout = AbortSignal.timeout(Math.max(Math.ceil(timeoutMs), 0))
  const either = AbortSignal.any([signal, timeout])
  return refreshHeads(state, { now, asOf, signal: either }).then(
    () => true,
    () => false,
  )
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
  const { expected, head, round, state, upstream } = reading
  let failure: Failure | undefined
  for (const [place, { ask, index }] of open.entries()) {
    const answer = readPlan(reading, ask, outcomes[place]!)
    const isLost = ask.isTrial === true && isOfTheCall(answer)
    if (answer.kind === 'failed' && !isLost) {
      failure = answer.failure
      if (failure === 'wrong_chain') upstream.isExcluded = true
      continue
    }
    round.answers[index] = answer
    if (isLost) continue
    // Gas caps differ between nodes, so a halt is believed when a second host says so, where there is one.
    const isHalt = answer.kind === 'stopped' && answer.how === 'halt'
    const first = round.unconfirmed.get(index)
    if (isHalt && first === undefined && hasManyHosts(state)) {
      round.unconfirmed.set(index, upstream.host)
      failure = 'halt'
    } else if (isHalt && first === upstream.host) failure = 'halt'
    else round.unconfirmed.delete(index)
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

const latestHeader: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

function isOpen(answer: PlanAnswer | undefined, { isTrial }: PlanAsk): boolean {
  if (answer === undefined) return true
  return answer.kind === 'stopped' && answer.how === 'halt' && !isTrial
}

type BlockTag = string | { blockHash: Hex; requireCanonical?: boolean }

function ethCall(state: ChainState, upstream: Upstream, ask: PlanAsk, tag: BlockTag): RpcCall {
  const gas = ask.question.isExact ? PlanCall.exactGas : PlanCall.previewGas
  const call = { to: ask.quoter, data: ask.data, gas: `0x${gas.toString(16)}` }
  const funds = fundsOf(upstream, ask)
  const { stateOverride } = state.chain
  const params = [call, tag]
  if (funds === undefined && stateOverride === undefined) return { method: 'eth_call', params }
  return { method: 'eth_call', params: [...params, { ...stateOverride, ...funds }] }
}

/** What is given along to a node that takes overrides, or may take them. */
function fundsOf({ takesOverrides }: Upstream, { override }: PlanAsk) {
  return takesOverrides === false ? undefined : override
}

function blockTag({ takesBlockHash }: Upstream, pin: Block | undefined): BlockTag {
  if (pin === undefined) return 'latest'
  const { hash, number } = pin
  return hash === undefined || !takesBlockHash ? `0x${number.toString(16)}` : { blockHash: hash }
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
  return { kind: 'plan', plan, data: outcome.result as Hex, ...(override && { override }) }
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
    return Plan.problem(plan, ask.question) === undefined ? plan : undefined
  } catch {
    return undefined
  }
}
