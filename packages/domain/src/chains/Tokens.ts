import type { Address } from 'viem'
import type { ServedChain } from '../registry/ServedChain.js'
import * as Addresses from '../values/Addresses.js'
import * as KnownTokens from './KnownTokens.js'
import * as Lookalikes from './Lookalikes.js'

/** Symbols that always mean the same address on a chain, even if other tokens use them. */
export const reservedSymbols = ['ETH', 'WETH', 'USDC', 'SLU'] as const
export type ReservedSymbol = (typeof reservedSymbols)[number]

/** A symbol has at least one letter: digits only are an amount in the wrong parameter. */
const symbolShape = /^(?=.*[A-Za-z])[A-Za-z0-9.$_+-]{1,32}$/
/** A possible symbol with characters outside of ASCII: in another script, or with invisible characters. */
const foreignShape = /^(?=.*\P{ASCII})[^\s\p{Cc}]{1,32}$/u

/** Address that wallets use for the native coin. It has no code. */
const nativePlaceholder = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** A parsed token parameter, before the chain is known. */
export type TokenText =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'symbol'; readonly symbol: ReservedSymbol }
  /** Any other symbol, which has to be looked up. */
  | { readonly kind: 'traded'; readonly symbol: string }

/** Why a text names no token: it is malformed, or (`isUnresolved`) the symbol does not identify one token. */
export type Problem = {
  readonly ok: false
  readonly reason: string
  readonly isUnresolved: boolean
}

/** A parsed token parameter, or why it is invalid. */
export type ParsedText = { readonly ok: true; readonly token: TokenText } | Problem

/** What is known about the token that a symbol was resolved to. */
export type ResolvedSymbol = {
  readonly symbol: string
  /** Name from the contract, which can be any text; null if it was not read. */
  readonly name: string | null
  /** Value of the well-known tokens in the token's pools, in US dollars; null if not measured. */
  readonly liquidityUsd: number | null
}

/** Input or output token of a trade. */
export type Token = {
  readonly address: Address
  /** Whether the request names the native coin. `address` is then the wrapped token. */
  readonly isNative: boolean
  /** Present if a symbol was resolved. */
  readonly resolved?: ResolvedSymbol
}

/** The token that a text names, or why it names none. */
export type Resolved = { readonly ok: true; readonly token: Token } | Problem

/** Parses a token parameter: an address, a reserved symbol in any case, or any other symbol. */
export function parse(text: string): ParsedText {
  if (/^0x/i.test(text)) return parseAddress(text)
  const symbol = reservedSymbols.find((reserved) => reserved === text.toUpperCase())
  if (symbolShape.test(text))
    return symbol === undefined
      ? { ok: true, token: { kind: 'traded', symbol: text } }
      : { ok: true, token: { kind: 'symbol', symbol } }
  return foreignShape.test(text)
    ? unresolved('has characters other than A-Z, a-z, 0-9 and .$_+-, as look-alike symbols do')
    : malformed(`must be a token address, one of ${reservedSymbols.join(', ')} or a traded symbol`)
}

function parseAddress(text: string): ParsedText {
  const parsed = Addresses.parse(text)
  if (!parsed.ok) return malformed(parsed.reason)
  const isNoToken = [Addresses.zero, nativePlaceholder].some((none) =>
    Addresses.equal(none, parsed.address),
  )
  if (isNoToken) return malformed('is not a token; send ETH for the native coin')
  return { ok: true, token: { kind: 'address', address: parsed.address } }
}

/** Resolves a token parameter on a chain, using only the built-in lists. */
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
      return resolveUsdc(chain)
    case 'SLU':
      return chain.slu === null
        ? malformed(`SLU does not exist on ${chain.name}`)
        : { ok: true, token: { address: chain.slu, isNative: false } }
  }
}

/** Another stablecoin is not taken for USDC in silence. */
function resolveUsdc(chain: ServedChain): Resolved {
  const dollar = KnownTokens.dollarOf(chain.chainId)
  return dollar.symbol === 'USDC'
    ? { ok: true, token: { address: chain.usdc, isNative: false } }
    : malformed(`USDC is not issued on ${chain.name}; send ${dollar.symbol} or a token address`)
}

function resolveTraded(chain: ServedChain, symbol: string): Resolved {
  const known = KnownTokens.find(chain, symbol)
  if (known === undefined)
    return lookalike(chain, symbol) ?? unresolved("is not on the chain's own list of symbols")
  const { address, name } = known
  const resolved = { symbol: known.symbol, name, liquidityUsd: null }
  return { ok: true, token: { address, isNative: false, resolved } }
}

/** Rejection of a symbol that resembles a well-known one; `undefined` if it resembles none. */
export function lookalike(chain: ServedChain, symbol: string): Problem | undefined {
  const pinned = [...reservedSymbols, ...KnownTokens.of(chain).map((token) => token.symbol)]
  const original = Lookalikes.find(symbol, pinned)
  return original === undefined
    ? undefined
    : unresolved(`looks like ${original} but is another symbol`)
}

function malformed(reason: string): Problem {
  return { ok: false, reason, isUnresolved: false }
}

/** Rejection of a symbol, with advice. @param reason What is wrong with the symbol. */
export function unresolved(reason: string): Problem {
  return { ok: false, reason: `${reason}; pass the token's address`, isUnresolved: true }
}
