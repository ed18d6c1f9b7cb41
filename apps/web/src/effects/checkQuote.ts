import type { Quote } from '@sluice/sdk'
import { BaseError, IntegrityError } from '@sluice/sdk'
import { isSameOutcome } from '@sluice/sdk/verify'
import { type AskNode, NodeError } from '../askNode.js'
import type { Check } from '../machine/Check.js'
import { messageOf, type Repeated, repeatOnOwnNode } from '../ownNode.js'
import type { Boot } from './boot.js'

/** How much older than the node's latest block a quote may be, in seconds. */
const maxBehindSec = 300
/** A node may hear of the quote's block a moment later than the service. */
const [tries, pauseMs] = [4, 700]
const patienceMs = 6_000

/** Has the reader's own node repeat a quote: the very call of the answer, its hints and its block included. */
export function checkQuote(ask: AskNode, quote: Quote, boot: Boot): Promise<Check> {
  const late = new Promise<Check>((resolve) => {
    setTimeout(
      () => resolve({ kind: 'unanswered', reason: 'Your node takes too long.' }),
      patienceMs,
    )
  })
  return Promise.race([repeat(ask, quote, boot), late])
}

async function repeat(ask: AskNode, quote: Quote, boot: Boot): Promise<Check> {
  // The node made this one itself.
  if (quote.meta !== undefined && quote.meta.call === undefined && 'integrity' in quote)
    return { kind: 'same', block: quote.meta.blockNumber ?? 0 }
  try {
    const own = await patiently(() => repeatOnOwnNode(ask, quote, boot))
    return await judge(ask, quote, own)
  } catch (error) {
    if (error instanceof IntegrityError) return { kind: 'forged', reason: error.shortMessage }
    return { kind: 'unanswered', reason: messageOf(error) }
  }
}

async function judge(ask: AskNode, quote: Quote, own: Repeated): Promise<Check> {
  const block = Number(own.witness?.blockNumber ?? quote.meta?.blockNumber ?? 0)
  if (!isSameOutcome(own, quote))
    return { kind: 'differs', block, own: own.amountOut, served: quote.amountOut }
  const latest = (await ask('eth_getBlockByNumber', ['latest', false])) as {
    timestamp?: string
  } | null
  const behind = Number(latest?.timestamp ?? 0) - Number(own.witness?.timestamp ?? 0)
  if (behind > maxBehindSec)
    return {
      kind: 'forged',
      reason: `The quote is of block ${block}, ${behind} seconds behind your node.`,
    }
  return { kind: 'same', block }
}

async function patiently<result>(run: () => Promise<result>): Promise<result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const isNode = error instanceof NodeError || (error instanceof BaseError && error.retryable)
      if (!isNode || attempt === tries) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
