import { type Address, type Hex, numberToHex } from 'viem'
import { callBatch, type RpcCall, type RpcOutcome } from './callBatch.js'
import { type Failure, isAnswer } from './failures.js'
import type { post } from './post.js'
import type { Upstream } from './Upstream.js'

export type StateOverride = Readonly<Record<Address, object>>

/** A call, before it is known which node makes it. */
export type EthCall = {
  readonly from?: Address | undefined
  readonly to: Address
  readonly data: Hex
  /** What it asks for; less on a node that lets no call ask for so much. */
  readonly gas: bigint
  /** Native coin that goes along. */
  readonly value?: Hex | undefined
  /** State without which it means something else. */
  readonly override?: StateOverride | undefined
  /** State that is given along where the node takes overrides. */
  readonly funds?: StateOverride | undefined
}

/** A read of what an account has of the native coin. */
export type BalanceRead = { readonly balanceOf: Address }

export type CallBlock = 'latest' | { readonly number: bigint; readonly hash: Hex | undefined }

/** The most gas that any transaction may ask for since Osaka (EIP-7825): what is tried where a refusal names no cap. */
export const commonGasCap = 2n ** 24n
/** A cap on gas, a block by its hash, state to be left out. */
const mostLessons = 3
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
  const ask = () =>
    callBatch(upstream, [...reads, ...calls.map((call) => toRpc(upstream, call, at))], {
      ...options,
      timeoutMs: endsAt - performance.now(),
    })
  let outcomes = await ask()
  for (let lessons = 0; lessons < mostLessons; lessons++) {
    const lesson = learn(upstream, request, outcomes)
    const isOver = performance.now() >= endsAt || options.signal?.aborted
    if (lesson === undefined || isOver) return outcomes
    outcomes = await ask()
    if (lesson === 'hash') noteHash(upstream, outcomes.slice(reads.length))
  }
  return outcomes
}

function toRpc({ can }: Upstream, call: EthCall | BalanceRead, at: CallBlock): RpcCall {
  if ('balanceOf' in call) {
    const params = [call.balanceOf, blockTag(can.takesBlockHash, at)]
    return { method: 'eth_getBalance', params }
  }
  const { data, from, gas, to, value } = call
  const capped = can.gasCap !== undefined && can.gasCap < gas ? can.gasCap : gas
  const override = { ...call.override, ...(can.takesOverrides !== false && call.funds) }
  const fields = { from, to, data, value, gas: numberToHex(capped) }
  const params = [fields, blockTag(can.takesBlockHash, at)]
  const hasOverride = Object.keys(override).length > 0
  return { method: 'eth_call', params: hasOverride ? [...params, override] : params }
}

function blockTag(takesBlockHash: boolean, at: CallBlock) {
  if (at === 'latest') return at
  return at.hash === undefined || !takesBlockHash ? numberToHex(at.number) : { blockHash: at.hash }
}

function learn(
  upstream: Upstream,
  { at, calls: asked, reads }: Parameters<typeof ethCalls>[1],
  outcomes: readonly RpcOutcome[],
): 'gas' | 'hash' | 'funds' | undefined {
  const { can } = upstream
  const calls = asked.filter((call): call is EthCall => !('balanceOf' in call))
  const own = outcomes.slice(reads.length)
  const failures = own.map((outcome) => (outcome.ok ? undefined : outcome.failure))
  const refused = own.find((outcome) => !outcome.ok && outcome.failure === 'gas_cap')
  if (refused?.ok === false && lowerCap(upstream, refused.gasCap, calls)) return 'gas'
  const isByHash = at !== 'latest' && at.hash !== undefined && can.takesBlockHash
  if (isByHash && isAboutHash(upstream, failures, hasHeader(outcomes, at.hash))) {
    can.takesBlockHash = false
    return 'hash'
  }
  if (failures.includes('unsupported') && can.takesOverrides === undefined) {
    const areOptional = calls.some(({ funds }) => funds !== undefined)
    const hasAny = areOptional || calls.some(({ override }) => override !== undefined)
    if (hasAny) can.takesOverrides = false
    if (areOptional) return 'funds'
  }
  return undefined
}

/** Whether there is a lower cap to try. */
function lowerCap(
  { can }: Upstream,
  named: bigint | undefined,
  calls: readonly EthCall[],
): boolean {
  const [most = 0n] = calls.map(({ gas }) => gas).sort((a, b) => (a < b ? 1 : -1))
  const asked = can.gasCap !== undefined && can.gasCap < most ? can.gasCap : most
  const cap = named !== undefined && named < asked ? named : commonGasCap
  if (cap >= asked) return false
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

/** Where the same calls by number fare no better, the hash was not the reason. */
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
