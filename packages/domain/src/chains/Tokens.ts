import type { Address } from 'viem'
import type { ServedChain } from '../registry/ServedChain.js'
import * as Addresses from '../values/Addresses.js'
import * as KnownTokens from './KnownTokens.js'
import * as Lookalikes from './Lookalikes.js'

/** Symbols that mean a pinned address on each chain; no other token can take their place. */
export const reservedSymbols = ['ETH', 'WETH', 'USDC', 'SLU'] as const
export type ReservedSymbol = (typeof reservedSymbols)[number]

/** Digits alone are an amount in the wrong place. */
const symbolShape = /^(?=.*[A-Za-z])[A-Za-z0-9.$_+-]{1,32}$/
/** Texts of this form are symbols to somebody, in another script or with signs that are not seen. */
const foreignShape = /^(?=.*\P{ASCII})[^\s\p{Cc}]{1,32}$/u

/** The address that wallets write for the native coin; it holds no code. */
const nativePlaceholder = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** How a token was named, before the chain is known. */
export type TokenText =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'symbol'; readonly symbol: ReservedSymbol }
  /** Anybody's symbol: what it means is to be found out. */
  | { readonly kind: 'traded'; readonly symbol: string }

/** Why a name means no token: it is none, or what it means cannot be said. */
export type Problem = {
  readonly ok: false
  readonly reason: string
  readonly isUnresolved: boolean
}

/** A token parameter that was read, or what is wrong with it. */
export type ParsedText = { readonly ok: true; readonly token: TokenText } | Problem

/** What a symbol was found to mean. */
export type ResolvedSymbol = {
  readonly symbol: string
  /** What the contract calls itself, which proves nothing; null if it was not read. */
  readonly name: string | null
  /** Well-known tokens in the token's pools, in US dollars; null if they were not measured. */
  readonly liquidityUsd: number | null
}

/** A token of a chain, as a side of a trade. */
export type Token = {
  readonly address: Address
  /** The native coin was named: `address` is its wrapped form. */
  readonly isNative: boolean
  /** Present if a symbol was looked up. */
  readonly resolved?: ResolvedSymbol
}

/** The token that a text means, or why there is none. */
export type Resolved = { readonly ok: true; readonly token: Token } | Problem

/** Reads a token's name: an address, one of the reserved symbols in any case, or any other symbol. */
export function parse(text: string): ParsedText {
  if (/^0x/i.test(text)) return parseAddress(text)
  const symbol = reservedSymbols.find((reserved) => reserved === text.toUpperCase())
  if (symbolShape.test(text))
    return symbol === undefined
      ? { ok: true, token: { kind: 'traded', symbol: text } }
      : { ok: true, token: { kind: 'symbol', symbol } }
  return foreignShape.test(text)
    ? unresolved('has signs other than A-Z, a-z, 0-9 and .$_+-, as look-alikes do')
    : malformed(`must be a token address, one of ${reservedSymbols.join(', ')} or a traded symbol`)
}

function parseAddress(text: string): ParsedText {
  const parsed = Addresses.parse(text)
  if (!parsed.ok) return malformed(parsed.reason)
  const isNoToken = [Addresses.zero, nativePlaceholder].some((none) =>
    Addresses.equal(none, parsed.address),
  )
  if (isNoToken) return malformed('is no token; name the native coin ETH')
  return { ok: true, token: { kind: 'address', address: parsed.address } }
}

/** The token that a name means on a chain, as far as that is known without asking anybody. */
export function resolve(chain: ServedChain, text: TokenText): Resolved {
  if (text.kind === 'address')
    return { ok: true, token: { address: text.address, isNative: false } }
  if (text.kind === 'traded') return resolveTraded(chain, text.symbol)
  switch (text.symbol) {
    case 'ETH':
      return { ok: true, token: { address: chain.wrappedNative, isNative: true } }
    case 'WETH':
      return { ok: true, token: { address: chain.wrappedNative, isNative: false } }
    case 'USDC':
      return { ok: true, token: { address: chain.usdc, isNative: false } }
    case 'SLU':
      return chain.slu === null
        ? malformed(`SLU does not exist on ${chain.name}`)
        : { ok: true, token: { address: chain.slu, isNative: false } }
  }
}

function resolveTraded(chain: ServedChain, symbol: string): Resolved {
  const known = KnownTokens.find(chain, symbol)
  if (known === undefined)
    return lookalike(chain, symbol) ?? unresolved("is not on the chain's own list of symbols")
  const { address, name } = known
  const resolved = { symbol: known.symbol, name, liquidityUsd: null }
  return { ok: true, token: { address, isNative: false, resolved } }
}

/** The refusal of a symbol that resembles one with a pinned address; `undefined` if it resembles none. */
export function lookalike(chain: ServedChain, symbol: string): Problem | undefined {
  const pinned = [...reservedSymbols, ...KnownTokens.of(chain).map((token) => token.symbol)]
  const original = Lookalikes.find(symbol, pinned)
  return original === undefined ? undefined : unresolved(`looks like ${original} and is not`)
}

function malformed(reason: string): Problem {
  return { ok: false, reason, isUnresolved: false }
}

/** @param reason What is wrong with the symbol; what to do instead follows it. */
export function unresolved(reason: string): Problem {
  return { ok: false, reason: `${reason}; pass the token's address`, isUnresolved: true }
}
