import { Addresses } from '@sluice/domain'
import type { DecodedQuote, Quote } from '@sluice/sdk'
import { BaseError, IntegrityError } from '@sluice/sdk'
import { isSameOutcome } from '@sluice/sdk/verify'
import { type AskNode, NodeError } from '../askNode.js'
import type { Check } from '../machine/Check.js'
import { messageOf, repeatOnOwnNode } from '../ownNode.js'
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
    const own = await patiently(() =>
      repeatOnOwnNode(ask, quote, { ...boot, isOnDemand: true }).then((found) => found.quote),
    )
    return await judge(ask, quote, own)
  } catch (error) {
    if (error instanceof IntegrityError) return { kind: 'forged', reason: error.shortMessage }
    return { kind: 'unanswered', reason: messageOf(error) }
  }
}

async function judge(ask: AskNode, quote: Quote, own: DecodedQuote): Promise<Check> {
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

/** What a token's contract says of itself; `undefined` if there is none. Every word of it is a stranger's. */
export type TokenWords = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

const selectors = { name: '0x06fdde03', symbol: '0x95d89b41', decimals: '0x313ce567' }
/** No token that is meant for people has more; some lie. */
const maxDecimals = 36

export async function readToken(ask: AskNode, address: string): Promise<TokenWords | undefined> {
  const read = async (data: string) =>
    String(await ask('eth_call', [{ to: address, data }, 'latest']).catch(() => '0x'))
  const [name, symbol, decimals] = await Promise.all(
    [selectors.name, selectors.symbol, selectors.decimals].map(read),
  )
  if (!/^0x[0-9a-f]{64}$/.test(decimals!)) return undefined
  const places = Number(BigInt(decimals!))
  if (places > maxDecimals) return undefined
  const shown = Addresses.shorten(address)
  return { symbol: textOf(symbol!) || shown, name: textOf(name!) || shown, decimals: places }
}

/** A text as ABI encodes it, or 32 bytes as some old tokens give it; cut short, since strangers wrote it. */
function textOf(data: string): string {
  const hex = data.slice(2)
  const isDynamic = hex.length >= 192 && BigInt(`0x${hex.slice(0, 64)}`) === 32n
  const length = isDynamic ? Math.min(Number(BigInt(`0x${hex.slice(64, 128)}`)), 64) : 32
  const body = isDynamic ? hex.slice(128, 128 + 2 * length) : hex.slice(0, 64)
  const bytes = new Uint8Array((body.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)))
  const text = new TextDecoder().decode(bytes)
  return text.replace(/\0+$/, '').slice(0, 32)
}

/** Balances of an account, as `[token, base units]`; what cannot be read is left out, never zero. */
export async function readBalances(
  ask: AskNode,
  account: string,
  tokens: readonly string[],
): Promise<readonly (readonly [string, bigint])[]> {
  const outcomes = await Promise.all(
    tokens.map(async (token) => {
      const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`
      const answer = await (token === 'ETH'
        ? ask('eth_getBalance', [account, 'latest'])
        : ask('eth_call', [{ to: token, data }, 'latest'])
      ).catch(() => undefined)
      return typeof answer === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answer)
        ? [[token, BigInt(answer)] as const]
        : []
    }),
  )
  return outcomes.flat()
}
