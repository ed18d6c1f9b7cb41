import { lensAbi } from '@sluice/abi'
import { PlanCall, type Registry } from '@sluice/domain'
import type { Budget, EthCall, Failure, RpcCall } from '@sluice/rpc'
import { decodeFunctionResult, type Hex, numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { type Head, isSameBlock } from '../heads/Head.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { readPinned } from '../quotes/readPinned.js'
import { type LensAsk, lensCall, lensOverride } from './lensCall.js'

/** Return data of one read, as far as the Lens copied it. */
export type LensAnswer = {
  readonly ok: boolean
  /** Total size of the return data, in bytes. */
  readonly size: bigint
  readonly words: readonly [Hex, Hex, Hex]
}

/** A JSON-RPC request that anybody can repeat. */
export type RepeatableCall = RpcCall & { readonly jsonrpc: '2.0'; readonly id: 1 }

export type LensOptions = {
  /** Unix milliseconds. */
  now: () => number
  signal?: AbortSignal | undefined
  onFailure?: readPinned.Options['onFailure']
  /** Node requests are charged to this budget. @default a budget of its own */
  budget?: Budget | undefined
}

const budgetMs = 2_300

/**
 * Reads many contracts on one block, in one call to a node. A read that fails or uses too much gas does not affect the
 * others.
 *
 * @throws QuoteError if no node answers.
 */
export async function askLens(
  state: ChainState,
  asks: readonly LensAsk[],
  options: LensOptions,
): Promise<{ block: Head; answers: readonly LensAnswer[]; call: RepeatableCall }> {
  const call = { ...lensCall(asks), override: lensOverride }
  let answers: readonly LensAnswer[] | undefined
  const read = await readPinned(state, [call], {
    ...options,
    budgetMs,
    needsOverrides: true,
    accepts([result], block) {
      answers = decodeLens(result!, block, asks.length)
      return answers !== undefined
    },
  })
  if (!read.ok || answers === undefined)
    throw unreachable(state.chain, read.ok ? 'bad_response' : read.failure)
  return { block: read.block, answers, call: repeatable(call, read.block) }
}

/**
 * Returns the call as a complete request for any client and node. Lowers the gas limit, because other nodes may allow
 * less than ours.
 */
export function repeatable(
  { data, gas, override, to }: EthCall,
  { number }: Pick<Head, 'number'>,
): RepeatableCall {
  const { readersGas } = PlanCall
  const fields = { to, data, gas: numberToHex(gas < readersGas ? gas : readersGas) }
  const params = [fields, numberToHex(number), override]
  return { jsonrpc: '2.0', id: 1, method: 'eth_call', params }
}

/** Returns the answer if it is exactly one word; `undefined` otherwise. */
export function wordOf(answer: LensAnswer | undefined): bigint | undefined {
  return answer?.ok && answer.size === 32n ? BigInt(answer.words[0]) : undefined
}

/**
 * Decodes the result of a call of the Lens on a block.
 *
 * @returns `undefined` if it is malformed or failed. The Lens itself never fails: the node ignored the override then, or
 * invented the answer.
 */
export function decodeLens(
  result: { ok: true; data: Hex } | { ok: false },
  block: Head,
  count: number,
): readonly LensAnswer[] | undefined {
  if (!result.ok) return undefined
  try {
    const { data } = result
    const [witness, answers] = decodeFunctionResult({ abi: lensAbi, functionName: 'read', data })
    return isSameBlock(block, witness) && answers.length === count ? answers : undefined
  } catch {
    return undefined
  }
}

function unreachable({ name }: Registry.ServedChain, failure: Failure): QuoteError {
  if (failure === 'stale')
    return new QuoteError('rpc_stale', `The latest block of ${name} is too old.`, { rpcTried: 1 })
  return new QuoteError('rpc_unreachable', `No node of ${name} gave a valid answer.`, {
    rpcTried: 1,
  })
}
