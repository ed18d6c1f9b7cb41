import { Addresses } from '@sluice/domain'
import type { DecodedQuote, Quote, QuoteParameters } from '@sluice/sdk'
import type { AskNode } from '../askNode.js'
import { askOwnNode } from '../askOwnNode.js'
import type { Boot } from './boot.js'
import { readBalances } from './node.js'

const [approveGas, wrapGas] = [80_000n, 60_000n]

/** A quote that the reader's node computes where the service makes none; nothing of it is the service's word. */
export async function quoteByNode(
  ask: AskNode,
  parameters: QuoteParameters,
  boot: Boot,
): Promise<Quote> {
  // What the sender lacks is read below: a prepared call knows nothing of accounts.
  const { sender, signature: _, ...plain } = parameters
  const quote = await askOwnNode(ask, plain, boot)
  const block = Number(quote.witness?.blockNumber ?? 0)
  const meta = {
    quotedAt: 0,
    latencyMs: 0,
    rpcTried: 0,
    cache: 'miss',
    blockNumber: block,
  } as const
  if (sender === undefined || sender === null) return { ...quote, meta }
  return { ...quote, meta, ...(await lackingOf(ask, quote, sender)) }
}

/** What the account lacks for the swap, and the call that mends it. */
async function lackingOf(
  ask: AskNode,
  quote: DecodedQuote,
  account: string,
): Promise<Partial<Quote>> {
  const { approval, exactOutput, tokenIn, tx, wrapRequired } = quote
  const amountIn = exactOutput?.amountInMax ?? quote.amountIn
  const isCoin = wrapRequired === true || (tx?.value ?? 0n) > 0n
  const [[, held] = [], [, wrapped] = []] = await readBalances(ask, account, [
    isCoin ? 'ETH' : tokenIn,
    tokenIn,
  ])
  const isPoor = held !== undefined && held < amountIn
  if (isPoor)
    return {
      tx: undefined,
      issues: { balance: { token: tokenIn, actual: held, expected: amountIn } },
    }
  if (wrapRequired === true && (wrapped ?? 0n) < amountIn)
    return {
      tx: undefined,
      issues: {},
      calls: [{ purpose: 'wrap', to: tokenIn, data: '0xd0e30db0', value: amountIn, gas: wrapGas }],
    }
  if (approval === undefined) return {}
  const words = [account, approval.spender].map((each) =>
    each.slice(2).toLowerCase().padStart(64, '0'),
  )
  const allowed = BigInt(
    String(await ask('eth_call', [{ to: tokenIn, data: `0xdd62ed3e${words.join('')}` }, 'latest'])),
  )
  if (allowed >= approval.amount || Addresses.equal(approval.spender, Addresses.zero))
    return { issues: {} }
  const amount = approval.amount.toString(16).padStart(64, '0')
  const data = `0x095ea7b3${words[1]}${amount}` as const
  return {
    tx: undefined,
    issues: {
      allowance: { spender: approval.spender, actual: allowed, expected: approval.amount },
    },
    calls: [{ purpose: 'approve', to: tokenIn, data, value: 0n, gas: approveGas }],
  }
}
