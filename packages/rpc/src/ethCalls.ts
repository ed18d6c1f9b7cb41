import type { Capabilities } from './Capabilities.js'
import { callBatch, type RpcCall, type RpcOutcome } from './callBatch.js'
import { type Failure, isAnswer } from './failures.js'
import { type Hex, hexOf } from './Hex.js'
import type { post } from './post.js'
import type { Upstream } from './Upstream.js'

/** What replaces the code, the storage and the balance of accounts during a call. */
export type StateOverride = {
  readonly [address: Hex]: {
    readonly balance?: Hex
    readonly code?: Hex
    /** Replaces the whole storage of the account. */
    readonly state?: { readonly [slot: Hex]: Hex }
    /** Replaces these slots only. */
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}

/** A call for any node. */
export type EthCall = {
  readonly from?: Hex | undefined
  readonly to: Hex
  readonly data: Hex
  /** Gas of the call; reduced to the gas cap of the node. */
  readonly gas: bigint
  /** Native coin to send, in wei. */
  readonly value?: Hex | undefined
  /** State override that the call needs. */
  readonly override?: StateOverride | undefined
  /** Optional state override, left out if the node rejects overrides. */
  readonly funds?: StateOverride | undefined
  /**
   * State override that a stranger chose. What happens to such a call tells nothing about the node, except its gas cap. Other
   * overrides count if they set the same.
   */
  readonly foreign?: StateOverride | undefined
}

/** A read of an account's balance of native coin. */
export type BalanceRead = { readonly balanceOf: Hex }

/** Block of a call. The hash is used if it is known and the node accepts hashes. */
export type CallBlock = 'latest' | { readonly number: bigint; readonly hash: Hex | undefined }

/** Maximum number of changed attempts: one each for the gas cap, the block hash and optional state. */
const maxLessons = 3
/** Gas to try if a node rejects the gas of a call and names no cap: the maximum of a transaction since Osaka (EIP-7825). */
const usualGasCap = 2n ** 24n
/** Minimum time between two checks whether a node rejects block hashes. Calls by hash can fail for other reasons too. */
const hashDoubtMs = 60_000

/**
 * Sends calls and reads as one JSON-RPC batch, in a form that the node accepts.
 *
 * If a node rejects the form of a call, remembers that and sends the batch again in another form: with less gas, with the
 * block number in place of the hash, or without optional state.
 *
 * @param request.reads Reads before the calls, for example of the block's header.
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

/** Capabilities of the node when the batch was sent. Concurrent requests can change the node's own record. */
type Form = Pick<Capabilities, 'gasCap' | 'takesBlockHash' | 'takesOverrides'>

function toRpc(form: Form, call: EthCall | BalanceRead, at: CallBlock): RpcCall {
  if ('balanceOf' in call) {
    const params = [call.balanceOf, blockTag(form.takesBlockHash, at)]
    return { method: 'eth_getBalance', params }
  }
  const { data, from, gas, to, value } = call
  const funds = form.takesOverrides === false ? undefined : call.funds
  const override = merged(merged(call.foreign, call.override), funds)
  const fields = { from, to, data, value, gas: hexOf(within(form.gasCap, gas)) }
  const params = [fields, blockTag(form.takesBlockHash, at)]
  const hasOverride = Object.keys(override).length > 0
  return { method: 'eth_call', params: hasOverride ? [...params, override] : params }
}

/** Merges two overrides, slot by slot. Where both set the same, the second one counts. */
function merged(first: StateOverride = {}, second: StateOverride = {}): StateOverride {
  const accounts = new Map(Object.entries(first))
  for (const [address, account] of Object.entries(second)) {
    const stateDiff = { ...accounts.get(address)?.stateDiff, ...account.stateDiff }
    const diff = Object.keys(stateDiff).length > 0 ? { stateDiff } : undefined
    accounts.set(address, { ...accounts.get(address), ...account, ...diff })
  }
  return Object.fromEntries(accounts)
}

function within(cap: bigint | undefined, gas: bigint): bigint {
  return cap !== undefined && cap < gas ? cap : gas
}

function blockTag(takesBlockHash: boolean, at: CallBlock) {
  if (at === 'latest') return at
  return at.hash === undefined || !takesBlockHash ? hexOf(at.number) : { blockHash: at.hash }
}

/** Learns from the failures what to change in the next attempt; `undefined` if nothing. */
function learn(
  upstream: Upstream,
  form: Form,
  { at, calls: asked, reads }: Parameters<typeof ethCalls>[1],
  outcomes: readonly RpcOutcome[],
): 'gas' | 'hash' | 'funds' | undefined {
  const { can } = upstream
  const calls = asked.filter((call): call is EthCall => !('balanceOf' in call))
  const own = outcomes.slice(reads.length)
  const failures = own.flatMap((outcome, index) =>
    outcome.ok || isForeign(asked[index]!) ? [] : [outcome.failure],
  )
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
    const familiar = calls.filter((call) => !isForeign(call))
    const areOptional = familiar.some(({ funds }) => funds !== undefined)
    const hasAny = areOptional || familiar.some(({ override }) => override !== undefined)
    if (hasAny && can.takesOverrides === undefined) can.takesOverrides = false
    if (areOptional && can.takesOverrides === false) return 'funds'
  }
  return undefined
}

function isForeign(call: EthCall | BalanceRead): boolean {
  return 'foreign' in call && call.foreign !== undefined
}

/** Lowers the gas cap of the node; false if there is no lower cap to try. */
function lowerCap({ can }: Upstream, named: bigint | undefined, gases: readonly bigint[]): boolean {
  const [most = 0n] = gases.toSorted((a, b) => (a < b ? 1 : -1))
  if (within(can.gasCap, most) < most) return true
  const cap = named !== undefined && named < most ? named : usualGasCap
  if (cap >= most) return false
  can.gasCap = cap
  return true
}

/**
 * Whether calls failed because of the block hash, with any error message: the node does not know the parameter, or it
 * has the block and still rejects the call.
 */
function isAboutHash({ can }: Upstream, failures: readonly Failure[], hasBlock: boolean): boolean {
  if (performance.now() - can.hashClearedAt < hashDoubtMs) return false
  if (failures.includes('unsupported')) return true
  return hasBlock && failures.some((failure) => refusals.has(failure))
}

/** Failures that can mean a rejected parameter. */
const refusals: ReadonlySet<Failure> = new Set(['not_ready', 'auth', 'server'])

/** Restores `takesBlockHash` if the same calls with the block number fail too: the hash was not the cause. */
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
