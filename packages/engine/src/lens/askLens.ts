import { lensAbi, lensDeployedBytecode } from '@sluice/abi'
import type { Plan } from '@sluice/domain'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { type ChainState, hasFreshHead, isPlural, noteHead } from '../ChainState.js'
import { type Block, isSameBlock, provenBlock } from '../Head.js'
import { QuoteError } from '../QuoteError.js'
import { readHead } from '../readHead.js'
import { refreshHeads } from '../refreshHeads.js'
import { callBatch, type RpcCall, type RpcOutcome } from '../rpc/callBatch.js'
import { type Failure, isAnswer } from '../rpc/failures.js'
import { race } from '../rpc/race.js'
import { rankUpstreams } from '../rpc/rankUpstreams.js'
import type { Upstream } from '../rpc/Upstream.js'

/** A read of one contract. */
export type LensAsk = { readonly to: Address; readonly data: Hex }

/** What a contract answered, as far as it was copied. */
export type LensAnswer = {
  readonly ok: boolean
  /** Bytes that were answered in all. */
  readonly size: bigint
  readonly words: readonly [Hex, Hex, Hex]
}

/** A call that anyone can repeat. */
export type RepeatableCall = RpcCall & { readonly jsonrpc: '2.0'; readonly id: 1 }

export type LensOptions = {
  /** Unix milliseconds. */
  now: () => number
  signal?: AbortSignal | undefined
}

/** Where the Lens is put for a call: nothing stands there. */
export const lensPlace: Address = '0x000000000000000000000000000000004c656e73'
/** What the Lens may take in all, and each of its reads: enough for any honest token. */
const callGas = 30_000_000n
const gasEach = 150_000n
const budgetMs = 2_300
const maxAttempts = 3

export const lensCode: Hex = lensDeployedBytecode

/**
 * Reads many contracts on one block, in one call to a node. What does not answer, or costs too much, has no answer of its
 * own and takes nothing from the others.
 *
 * @throws QuoteError where no node answers.
 */
export async function askLens(
  state: ChainState,
  asks: readonly LensAsk[],
  options: LensOptions,
): Promise<{ block: Block; answers: readonly LensAnswer[]; call: RepeatableCall }> {
  const { now, signal } = options
  if (!hasFreshHead(state)) await refreshHeads(state, options)
  const pin = hasFreshHead(state) && isPlural(state) ? state.head : undefined
  const data = encodeFunctionData({
    abi: lensAbi,
    functionName: 'read',
    args: [asks.map(({ data: each, to }) => ({ target: to, data: each })), gasEach],
  })
  let settled: { block: Block; answers: readonly LensAnswer[] } | undefined
  const { failure, tried } = await race({
    upstreams: rankUpstreams(state.upstreams, performance.now()).slice(0, maxAttempts),
    endsAt: performance.now() + budgetMs,
    maxAttempts,
    mode: 'lens',
    hedging: state.hedging,
    signal,
    async attempt(upstream, attemptOptions) {
      const askedAt = performance.now()
      const calls = [latestHeader, lensCall(data, tagOf(upstream, pin))]
      const [header, outcome] = await callBatch(upstream, calls, attemptOptions)
      const head = readHead(state, header!, now())
      if ('failure' in head) return head.failure
      noteHead(state, upstream, head, askedAt)
      const read = readAnswers(outcome!, asks.length)
      if ('failure' in read) return read.failure
      const { witness } = read
      if (witness.chainId !== BigInt(state.chain.chainId)) return 'wrong_chain'
      const block = pin ?? provenBlock(head, witness)
      if (block === undefined || !isSameBlock(block, witness)) return 'wrong_block'
      settled = { block, answers: read.answers }
      return undefined
    },
    asksAgain: (failed, isAlone) => failed === 'moved' || (failed === 'wrong_block' && isAlone),
  })
  if (settled === undefined) throw unreachable(state, failure, tried)
  const { block } = settled
  return { ...settled, call: repeatable(lensCall(data, numberToHex(block.number))) }
}

/** The call as a whole request, to send with any client. */
export function repeatable(call: RpcCall): RepeatableCall {
  return { jsonrpc: '2.0', id: 1, ...call }
}

/** An answer that is one word and nothing else; `undefined` for any other. */
export function wordOf(answer: LensAnswer | undefined): bigint | undefined {
  return answer?.ok && answer.size === 32n ? BigInt(answer.words[0]) : undefined
}

const latestHeader: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

function lensCall(data: Hex, tag: unknown): RpcCall {
  const call = { to: lensPlace, data, gas: numberToHex(callGas) }
  const override: Readonly<Record<Address, { code: Hex }>> = { [lensPlace]: { code: lensCode } }
  return { method: 'eth_call', params: [call, tag, override] }
}

function tagOf({ takesBlockHash }: Upstream, pin: Block | undefined): unknown {
  if (pin === undefined) return 'latest'
  return pin.hash !== undefined && takesBlockHash
    ? { blockHash: pin.hash }
    : numberToHex(pin.number)
}

function readAnswers(
  outcome: RpcOutcome,
  count: number,
): { witness: Plan.Witness; answers: readonly LensAnswer[] } | { failure: Failure } {
  // The Lens itself does not revert: a node that says so did not take it along.
  if (!outcome.ok) return { failure: isAnswer(outcome.failure) ? 'unsupported' : outcome.failure }
  try {
    const data = outcome.result as Hex
    const [witness, answers] = decodeFunctionResult({ abi: lensAbi, functionName: 'read', data })
    return answers.length === count ? { witness, answers } : { failure: 'bad_response' }
  } catch {
    return { failure: 'bad_response' }
  }
}

function unreachable({ chain }: ChainState, failure: Failure | undefined, rpcTried: number) {
  if (failure === 'stale')
    return new QuoteError('rpc_stale', `The latest block of ${chain.name} is too old.`, {
      rpcTried,
    })
  const message = `No node of ${chain.name} gave a valid answer.`
  return new QuoteError('rpc_unreachable', message, { rpcTried })
}
