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
import { foreignFailure } from './foreignFailure.js'
import type { PlanAnswer, PlanAsk } from './PlanAnswer.js'

/** State shared by all attempts at one answer. */
export type Round = {
  readonly asks: readonly PlanAsk[]
  readonly answers: (PlanAnswer | undefined)[]
  /** Nodes that reported a revert or halt that no second host has confirmed, by index of the call. */
  readonly unconfirmed: Map<number, Upstream>
  /** Block that the next attempt asks for. */
  pin: Block | undefined
  /** Labels of nodes that did not have the requested block. */
  readonly without: Set<string>
  /** Whether the witness of a plan has proven `pin`. */
  isProven: boolean
  /** Hosts that gave these answers. */
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

/** Starts over: the block was dropped, so its answers cannot be completed. */
function unpin(round: Round): void {
  round.pin = undefined
  round.isProven = false
  round.answers.fill(undefined)
  round.unconfirmed.clear()
  round.hosts.clear()
}

/**
 * Sends the open calls to one node.
 *
 * @returns Why calls remain open; `undefined` if none does.
 */
export async function attemptPlans(
  state: ChainState,
  upstream: Upstream,
  round: Round,
  options: attemptPlans.Options,
): Promise<Failure | undefined> {
  const { budget, forHeads = budget, now, signal, timeoutMs } = options
  if (round.without.has(upstream.label)) unpin(round)
  const open = openOf(round).filter(({ ask }) => maySend(upstream, ask))
  if (open.length === 0) return 'overrides_refused'
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
  const proofs = open.some(({ ask }) => ask.overrides) ? [proofOfOverrides] : []
  const reads = [latestHeader, ...proofs]
  const request = { reads, calls, at: pin ?? ('latest' as const) }
  const [header, ...told] = await ethCalls(upstream, request, options)
  const proof = proofs.length === 0 ? undefined : told[0]!
  const outcomes = told.slice(proofs.length)
  const head = readHead(state, header!, now())
  if ('failure' in head) {
    if (head.failure !== 'cancelled') state.heads.forget(upstream.label, askedAt)
    return head.failure
  }
  noteHead(state, upstream, head, askedAt)
  if (refreshed !== undefined && !knowsHead()) {
    const isOver = await refreshed
    if (!isOver || signal.aborted) return 'cancelled'
    // No other node answered, so nobody can confirm this one. Use its head.
    if (!knowsHead()) settleHead(state, 1, askedAt - state.headFreshMs)
    if (!knowsHead() && round.pin === undefined) return 'cancelled'
  }
  const expected = round.pin ?? (needsHead ? state.head : undefined)
  const reading = { state, upstream, round, head, expected, proof, isPinned: pin !== undefined }
  const failure = readOutcomes(reading, open, outcomes)
  if (failure === 'not_ready' && pin !== undefined) missPin(state, upstream, round)
  return failure ?? (openOf(round).length > 0 ? 'overrides_refused' : undefined)
}

type Open = { readonly ask: PlanAsk; readonly index: number }

/** The calls that have no answer yet. */
function openOf({ answers, asks, unconfirmed }: Round): readonly Open[] {
  return asks.flatMap((ask, index) =>
    answers[index] === undefined || unconfirmed.has(index) ? [{ ask, index }] : [],
  )
}

/** A node that is known to take no overrides is not asked about the caller's own state. */
function maySend({ can }: Upstream, { overrides }: PlanAsk): boolean {
  return overrides === undefined || can.takesOverrides !== false
}

/**
 * Records that a node does not have the requested block. The block may have been dropped, but a single node may also
 * lag or follow another branch. So the next node is asked for the block too.
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
    /** Node requests are charged to this budget. */
    budget?: Budget | undefined
    /** Budget for head reads. @default `budget` */
    forHeads?: Budget | undefined
  }
}

type Reading = {
  state: ChainState
  upstream: Upstream
  round: Round
  /** The node's latest header. */
  head: Head
  /** Block that the plans must be on; `undefined` accepts the node's own latest. */
  expected: Block | undefined
  /** Outcome of `proofOfOverrides`, if it was sent. */
  proof: RpcOutcome | undefined
  /** Whether the calls named a block. */
  isPinned: boolean
}

function readOutcomes(
  reading: Reading,
  open: readonly Open[],
  outcomes: readonly RpcOutcome[],
): Failure | undefined {
  const { expected, head, round, upstream } = reading
  let failure: Failure | undefined
  for (const [place, { ask, index }] of open.entries()) {
    const answer = readAsked(reading, ask, outcomes[place]!)
    const isLost = ask.isTrial === true && isOfTheCall(answer)
    if (answer.kind === 'failed' && !isLost) {
      // Another failure may tell what to do next.
      if (answer.failure !== 'overrides_refused') failure = answer.failure
      if (answer.failure === 'wrong_chain') noteChain(upstream, false)
      continue
    }
    if (isLost) round.answers[index] = answer
    else if (!settle(reading, index, answer as Answered)) failure = (answer as Stopped).how
  }
  if ((failure === 'wrong_block' || failure === 'moved') && !round.isProven)
    round.pin = expected ?? head
  return failure
}

/** Whether the call itself has no answer, rather than the block or the chain being wrong. */
function isOfTheCall(answer: PlanAnswer): boolean {
  if (answer.kind !== 'failed') return answer.kind === 'stopped'
  return !['wrong_block', 'moved', 'not_ready', 'wrong_chain'].includes(answer.failure)
}

type Stopped = Extract<PlanAnswer, { kind: 'stopped' }>
type Answered = Exclude<PlanAnswer, { kind: 'failed' }>

/**
 * Records an answer. A revert or halt carries no witness, a node can invent it, and gas caps differ. So it counts only
 * if a second host confirms it, if there is one. A plan proves itself, so it refutes an earlier revert.
 *
 * @returns Whether the call needs no further answer.
 */
function settle({ round, state, upstream }: Reading, index: number, answer: Answered): boolean {
  const { answers, asks, unconfirmed } = round
  const [before, first] = [answers[index], unconfirmed.get(index)]
  const isSecond = first !== undefined && first.host !== upstream.host
  answers[index] = answer.kind === 'stopped' && isSecond ? { ...answer, isConfirmed: true } : answer
  if (answer.kind === 'stopped' && !isSecond && (first !== undefined || hasManyHosts(state))) {
    unconfirmed.set(index, upstream)
    return false
  }
  unconfirmed.delete(index)
  const isRefuted = answer.kind === 'plan' && before?.kind === 'stopped' && before.how === 'revert'
  const isForeign = asks[index]!.overrides !== undefined
  if (isRefuted && !isForeign && first !== undefined)
    Standing.refute(first.standing, performance.now())
  return true
}

const latestHeader: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

function callOf(state: ChainState, ask: PlanAsk): EthCall {
  const { data, override: funds, overrides: foreign, quoter } = ask
  const gas = PlanCall.fullGas
  return { to: quoter, data, gas, override: state.chain.stateOverride, funds, foreign }
}

/** An address without code, and numbers that it has for one call only. */
const somewhere = '0x00000000000000000000000000000000005c5c5d'
const [provenBalance, provenWord] = ['0x5c', `0x${'5c00'.padStart(64, '0')}`] as const
/**
 * Call to code that adds up storage and balance that it has only by a state override: PUSH1 0, SLOAD, SELFBALANCE, ADD,
 * PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. A node that ignored overrides would quote on the chain's own state.
 */
const proofOfOverrides: RpcCall = {
  method: 'eth_call',
  params: [
    { to: somewhere, data: '0x', gas: '0xf4240' },
    'latest',
    {
      [somewhere]: {
        code: '0x600054470160005260206000f3',
        balance: provenBalance,
        stateDiff: { [`0x${'0'.repeat(64)}`]: provenWord },
      },
    },
  ],
}
const proven = `0x${'5c5c'.padStart(64, '0')}`

/**
 * Reads the answer to a call. For a state of the caller's, the node must have shown that it applies overrides; and it is not
 * to blame for a failure that the state may have caused.
 */
function readAsked(reading: Reading, ask: PlanAsk, outcome: RpcOutcome): PlanAnswer {
  const { proof } = reading
  if (ask.overrides === undefined) return readPlan(reading, ask, outcome)
  if (proof?.ok && proof.result !== proven) return { kind: 'failed', failure: 'overrides_refused' }
  const answer = proof?.ok
    ? readPlan(reading, ask, outcome)
    : ({ kind: 'failed', failure: proof?.failure ?? 'bad_response' } as const)
  if (answer.kind !== 'failed') return answer
  return { kind: 'failed', failure: foreignFailure(answer.failure) }
}

/** Returns the override if the node takes overrides or may do so. */
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
  const gas = cap !== undefined && cap < PlanCall.fullGas ? { gas: cap } : {}
  return { kind: 'plan', plan, data: outcome.result as Hex, ...gas, ...(override && { override }) }
}

/**
 * Whether the node's head agrees with the expected block. A witness does not contain the hash of its own block, and two
 * blocks can share a parent, so the witness alone is not enough.
 */
function vouches({ expected, head, isPinned }: Reading): boolean {
  if (expected?.hash === undefined || expected.hash === head.hash) return true
  return isPinned && expected.number !== head.number
}

/**
 * Returns the failure for an answer on another block than the expected one.
 *
 * The expected block may have become known after the request, and may be the child or the replacement of the node's
 * latest block. So a node that is close is asked again for that very block (`moved`). A node that is far behind, or
 * that was asked for this block and has another one, is at fault.
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
