import type { Capabilities } from './Capabilities.js'
import { callBatch, type RpcCall, type RpcOutcome } from './callBatch.js'
import { type Failure, isAnswer } from './failures.js'
import { type Hex, hexOf } from './Hex.js'
import type { post } from './post.js'
import type { Upstream } from './Upstream.js'

/** State that a call finds in place of the chain's, by account. */
export type StateOverride = {
  readonly [address: Hex]: {
    readonly code?: Hex
    /** All storage that the account then has. */
    readonly state?: { readonly [slot: Hex]: Hex }
    /** Slots that are changed; the others stay. */
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}

/** A call, before it is known which node makes it. */
export type EthCall = {
  readonly from?: Hex | undefined
  readonly to: Hex
  readonly data: Hex
  /** Gas that it asks for; less on a node that lets no call ask for so much. */
  readonly gas: bigint
  /** Native coin that goes along. */
  readonly value?: Hex | undefined
  /** State without which it means something else. */
  readonly override?: StateOverride | undefined
  /** State that is given along if the node takes overrides. */
  readonly funds?: StateOverride | undefined
}

/** A read of what an account has of the native coin. */
export type BalanceRead = { readonly balanceOf: Hex }

/** Block of a call: by its hash if that is known and the node takes hashes. */
export type CallBlock = 'latest' | { readonly number: bigint; readonly hash: Hex | undefined }

/** A cap on gas, a block by its hash, state to be left out. */
const maxLessons = 3
/** Tried if a node refuses the gas of a call and names no cap: what a transaction may take since Osaka (EIP-7825). */
const usualGasCap = 2n ** 24n
/** Calls by hash are refused for other reasons too; they are not looked into more often than this. */
const hashDoubtMs = 60_000

/**
 * Makes calls in the form that the node takes, with reads beside them, as one JSON-RPC batch.
 *
 * What a node refuses for its form alone is learned, and asked for once more in the other form: gas above its cap, a
 * block by its hash, state that can be left out.
 *
 * @param request.reads Come first, for example the header of the block that is named.
 * @returns The outcomes of the reads, then those of the calls.
 */
export async function ethCalls(
  upstream: Upstream,
  request: { reads: readonly RpcCall[]; calls: readonly (EthCall | BalanceRead)[]; at: CallBlock },
  options: post.Options,
): Promise<readonly RpcOutcome[]> {
  const { at, calls, reads } = request
  const endsAt = performance.now() + options.timeoutMs
  const ask = (form: Form) =>
    callBatch(upstream, [...reads, ...calls.map((call) => toRpc(form, call, at))], {
      ...options,
      timeoutMs: endsAt - performance.now(),
    })
  let form: Form = { ...upstream.can }
  let outcomes = await ask(form)
  for (let lessons = 0; lessons < maxLessons; lessons++) {
    const lesson = learn(upstream, form, request, outcomes)
    const isOver = performance.now() >= endsAt || options.signal?.aborted
    if (lesson === undefined || isOver) return outcomes
    form = { ...upstream.can }
    outcomes = await ask(form)
    if (lesson === 'hash') noteHash(upstream, outcomes.slice(reads.length))
  }
  return outcomes
}

/** What a node was held to be able to do when it was asked: others learn at the same time. */
type Form = Pick<Capabilities, 'gasCap' | 'takesBlockHash' | 'takesOverrides'>

function toRpc(form: Form, call: EthCall | BalanceRead, at: CallBlock): RpcCall {
  if ('balanceOf' in call) {
    const params = [call.balanceOf, blockTag(form.takesBlockHash, at)]
    return { method: 'eth_getBalance', params }
  }
  const { data, from, gas, to, value } = call
  const override = { ...call.override, ...(form.takesOverrides !== false && call.funds) }
  const fields = { from, to, data, value, gas: hexOf(within(form.gasCap, gas)) }
  const params = [fields, blockTag(form.takesBlockHash, at)]
  const hasOverride = Object.keys(override).length > 0
  return { method: 'eth_call', params: hasOverride ? [...params, override] : params }
}

function within(cap: bigint | undefined, gas: bigint): bigint {
  return cap !== undefined && cap < gas ? cap : gas
}

function blockTag(takesBlockHash: boolean, at: CallBlock) {
  if (at === 'latest') return at
  return at.hash === undefined || !takesBlockHash ? hexOf(at.number) : { blockHash: at.hash }
}

/** What the node is to be asked without, after what it has refused; learned here, or by others meanwhile. */
function learn(
  upstream: Upstream,
  form: Form,
  { at, calls: asked, reads }: Parameters<typeof ethCalls>[1],
  outcomes: readonly RpcOutcome[],
): 'gas' | 'hash' | 'funds' | undefined {
  const { can } = upstream
  const calls = asked.filter((call): call is EthCall => !('balanceOf' in call))
  const own = outcomes.slice(reads.length)
  const failures = own.map((outcome) => (outcome.ok ? undefined : outcome.failure))
  const refused = own.find((outcome) => !outcome.ok && outcome.failure === 'gas_cap')
  if (refused?.ok === false) {
    const asked = calls.map(({ gas }) => within(form.gasCap, gas))
    if (lowerCap(upstream, refused.gasCap, asked)) return 'gas'
  }
  const isByHash = at !== 'latest' && at.hash !== undefined && form.takesBlockHash
  if (isByHash && isAboutHash(upstream, failures, hasHeader(outcomes, at.hash))) {
    can.takesBlockHash = false
    return 'hash'
  }
  if (failures.includes('unsupported') && form.takesOverrides === undefined) {
    const areOptional = calls.some(({ funds }) => funds !== undefined)
    const hasAny = areOptional || calls.some(({ override }) => override !== undefined)
    if (hasAny && can.takesOverrides === undefined) can.takesOverrides = false
    if (areOptional && can.takesOverrides === false) return 'funds'
  }
  return undefined
}

/** Whether there is a lower cap to try than what the calls have asked for. */
function lowerCap({ can }: Upstream, named: bigint | undefined, gases: readonly bigint[]): boolean {
  const [most = 0n] = gases.toSorted((a, b) => (a < b ? 1 : -1))
  if (within(can.gasCap, most) < most) return true
  const cap = named !== undefined && named < most ? named : usualGasCap
  if (cap >= most) return false
  can.gasCap = cap
  return true
}

/**
 * Whether calls that name their block by its hash were refused for that, in whatever words: the node does not know the
 * parameter, or has the block and does not answer for it.
 */
function isAboutHash(
  { can }: Upstream,
  failures: readonly (Failure | undefined)[],
  hasBlock: boolean,
): boolean {
  if (performance.now() - can.hashClearedAt < hashDoubtMs) return false
  if (failures.includes('unsupported')) return true
  return hasBlock && failures.some((failure) => failure !== undefined && refusals.has(failure))
}

/** What can be a refusal of a parameter; the others are about something else. */
const refusals: ReadonlySet<Failure> = new Set(['not_ready', 'auth', 'server'])

/** If the same calls by number fare no better, the hash was not the reason. */
function noteHash({ can }: Upstream, outcomes: readonly RpcOutcome[]): void {
  if (outcomes.some((outcome) => outcome.ok || isAnswer(outcome.failure))) return
  can.takesBlockHash = true
  can.hashClearedAt = performance.now()
}

function hasHeader(outcomes: readonly RpcOutcome[], hash: Hex | undefined): boolean {
  return outcomes.some(
    (outcome) => outcome.ok && (outcome.result as { hash?: unknown }).hash === hash,
  )
}
