import { numberToHex } from 'viem'
import { DeployError } from '../../errors.js'
import { parseChainConfig } from '../../parseChainConfig.js'
import type { Rpc } from '../../rpc.js'
import { benchOf } from '../Bench.js'
import { askWith, recordState } from '../recordState.js'
import type { Ask } from '../TrialCalls.js'
import type { ComparedSwap } from './ComparedSwap.js'
import type { QuoteRecording } from './QuoteRecording.js'
import { type Question, type Quoted, quoteCall, readQuote } from './quoteSwap.js'

/**
 * Records the quote for a swap at the block before it: all state that it reads.
 *
 * @returns `undefined` if the node does not tell what a call touches.
 */
export async function recordQuote(
  rpc: Rpc,
  { configFile, swap }: { configFile: unknown; swap: ComparedSwap },
): Promise<QuoteRecording | undefined> {
  const { amountIn, amountOut, blockNumber, connectors, gasPrice, pools } = swap
  const { tokenIn, tokenOut, transaction } = swap
  const question = { tokenIn, tokenOut, amountIn, gasPrice, connectors, pools }
  const bench = benchOf(parseChainConfig(configFile))
  const recorded = await recordState(rpc, {
    ...{ bench, block: numberToHex(blockNumber - 1) },
    run: async (ask) => await quote(ask, bench, question),
  })
  if (recorded === undefined) return undefined
  const { result, state, ...place } = recorded
  return {
    ...{ schema: 1, kind: 'quote', ...place },
    ...{ configFile, transaction, tokenIn, tokenOut },
    ...{ amountIn: String(amountIn), gasPrice: String(gasPrice), connectors, pools },
    ...{ amountOut: String(amountOut), grossOut: String(result.grossOut), state },
  }
}

/**
 * Quotes a recorded swap again with the contracts of this repository, on any node that takes state overrides and has no state of its
 * own at the recorded addresses: a fresh development node at the recorded time.
 *
 * A quote that reads more than the recorded one reads zeros there.
 *
 * @throws DeployError `NOT_REPEATABLE`
 */
export async function replayQuote(rpc: Rpc, recording: QuoteRecording): Promise<Quoted> {
  const { amountIn, configFile, connectors, gasPrice, pools, tokenIn, tokenOut } = recording
  const amounts = { amountIn: BigInt(amountIn), gasPrice: BigInt(gasPrice) }
  const question = { tokenIn, tokenOut, ...amounts, connectors, pools }
  return await quote(askWith(rpc, recording.state), benchOf(parseChainConfig(configFile)), question)
}

async function quote(
  ask: Ask,
  bench: ReturnType<typeof benchOf>,
  question: Question,
): Promise<Quoted> {
  const answer = await ask(quoteCall(bench, question), bench.override)
  if (answer === undefined)
    throw new DeployError('NOT_REPEATABLE', 'The node rejected the call with the quote.')
  const quoted = readQuote(answer, { question })
  if ('failed' in quoted) throw new DeployError('NOT_REPEATABLE', quoted.failed)
  return quoted
}
