import { Addresses } from '@sluice/domain'
import type { AskNode } from '../askNode.js'

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
