import type { Address } from 'viem'
import * as Addresses from './Addresses.js'
import type { ServedChain } from './Registry.js'

/** Symbols that mean a pinned address on each chain; no other token can take their place. */
export const reservedSymbols = ['ETH', 'WETH', 'USDC', 'SLU'] as const
export type ReservedSymbol = (typeof reservedSymbols)[number]

const symbolShape = /^[A-Za-z0-9.$_+-]{1,32}$/

/** The address that wallets write for the native coin; it holds no code. */
const nativePlaceholder = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** How a token was named, before the chain is known. */
export type TokenText =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'symbol'; readonly symbol: ReservedSymbol }

export type ParsedText =
  | { readonly ok: true; readonly token: TokenText }
  | { readonly ok: false; readonly reason: string }

/** A token of a chain, as a side of a trade. */
export type Token = {
  readonly address: Address
  /** The native coin was named: `address` is its wrapped form. */
  readonly isNative: boolean
}

export type Resolved =
  | { readonly ok: true; readonly token: Token }
  | { readonly ok: false; readonly reason: string }

/** Reads a token's name: an address, or one of the reserved symbols in any case. */
export function parse(text: string): ParsedText {
  if (/^0x/i.test(text)) return parseAddress(text)
  const symbol = reservedSymbols.find((reserved) => reserved === text.toUpperCase())
  if (symbol !== undefined && symbolShape.test(text))
    return { ok: true, token: { kind: 'symbol', symbol } }
  return {
    ok: false,
    reason: symbolShape.test(text)
      ? `symbols are ${reservedSymbols.join(', ')}; name any other token by its address`
      : `must be a token address or one of ${reservedSymbols.join(', ')}`,
  }
}

function parseAddress(text: string): ParsedText {
  const parsed = Addresses.parse(text)
  if (!parsed.ok) return parsed
  const isNoToken = [Addresses.zero, nativePlaceholder].some((none) =>
    Addresses.equal(none, parsed.address),
  )
  if (isNoToken) return { ok: false, reason: 'is no token; name the native coin ETH' }
  return { ok: true, token: { kind: 'address', address: parsed.address } }
}

/** The token that a name means on a chain. */
export function resolve(chain: ServedChain, text: TokenText): Resolved {
  if (text.kind === 'address')
    return { ok: true, token: { address: text.address, isNative: false } }
  switch (text.symbol) {
    case 'ETH':
      return { ok: true, token: { address: chain.wrappedNative, isNative: true } }
    case 'WETH':
      return { ok: true, token: { address: chain.wrappedNative, isNative: false } }
    case 'USDC':
      return { ok: true, token: { address: chain.usdc, isNative: false } }
    case 'SLU':
      return chain.slu === null
        ? { ok: false, reason: `SLU does not exist on ${chain.name}` }
        : { ok: true, token: { address: chain.slu, isNative: false } }
  }
}
