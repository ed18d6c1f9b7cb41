import { Addresses } from '@sluice/domain'
import { type Client, getTokens } from '@sluice/sdk'
import type { Token } from '../machine/State.js'

/** Most tokens that are taken from a list of the reader's. */
const maxTokens = 400
/** No token that is meant for people has more decimals; some lie. */
const maxDecimals = 36

type Entry = Readonly<
  Partial<Record<'address' | 'chainId' | 'decimals' | 'name' | 'symbol', unknown>>
>

/**
 * Reads a token list of the reader's, in the format that wallets use. Its pictures are left out: they are on other servers.
 *
 * @returns The tokens of chains that are served, or why there are none.
 */
export function readTokenList(
  text: string,
  chainIds: readonly number[],
): readonly Token[] | string {
  let list: { tokens?: unknown }
  try {
    list = JSON.parse(text) as { tokens?: unknown }
  } catch {
    return 'This is not a token list: it is not JSON.'
  }
  const entries = Array.isArray(list?.tokens) ? (list.tokens as readonly Entry[]) : undefined
  if (entries === undefined) return 'This is not a token list: it has no “tokens”.'
  const tokens = entries.flatMap((entry) => tokenOf(entry ?? {}, chainIds))
  if (tokens.length === 0) return 'This list has no token of a chain that is served here.'
  return tokens.slice(0, maxTokens)
}

function tokenOf({ address, chainId, decimals, name, symbol }: Entry, chainIds: readonly number[]) {
  const parsed = Addresses.parse(String(address))
  const isServed = typeof chainId === 'number' && chainIds.includes(chainId)
  const isCount = Number.isInteger(decimals) && Number(decimals) >= 0
  if (!parsed.ok || !isServed || !isCount || Number(decimals) > maxDecimals) return []
  if (typeof symbol !== 'string' || symbol === '') return []
  const token: Token = {
    chainId,
    address: parsed.address,
    symbol: symbol.slice(0, 32),
    name: typeof name === 'string' && name !== '' ? name.slice(0, 32) : symbol.slice(0, 32),
    decimals: Number(decimals),
    isListed: false,
  }
  return [token]
}

/** Tokens of a chain as the service tells them: its list, or those at the addresses. */
export async function tokensOf(
  client: Client,
  chainId: number,
  addresses?: readonly string[],
): Promise<readonly Token[]> {
  const { tokens } = await getTokens(client, { chain: chainId, tokens: addresses })
  return tokens.flatMap(({ address, decimals, logo, name, source, symbol }) => {
    if (decimals === null || decimals > maxDecimals || symbol === null) return []
    const isListed = source !== 'chain' && source !== null
    const words = { symbol: symbol || Addresses.shorten(address), name: name || symbol }
    return [{ chainId, address, ...words, decimals, isListed, logo: logo ?? undefined }]
  })
}
