import * as Chains from './Chains.js'
import * as KnownTokens from './KnownTokens.js'

/** Decimals of the reserved symbols, which are the same on every chain. */
const bySymbol: ReadonlyMap<string, number> = new Map([
  ['ETH', 18],
  ['WETH', 18],
  ['SLU', 18],
  ['USDC', 6],
])

/**
 * Decimals of a well-known token; `undefined` for any other token.
 *
 * @param token Symbol or address.
 */
export function find(chainId: number, token: string): number | undefined {
  const named = bySymbol.get(token.toUpperCase())
  if (named !== undefined) return named
  const chain = Chains.find(chainId)
  if (chain === undefined) return undefined
  return (KnownTokens.find(chain, token) ?? KnownTokens.at(chain, token))?.decimals
}

/** Converts base units to whole tokens: exact, without trailing zeros. */
export function toHuman(base: bigint, decimals: number): string {
  const digits = base.toString().padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const fraction = digits.slice(at).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

/** Converts whole tokens to base units; `undefined` if the text is malformed or has too many decimals. */
export function toBase(human: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,60})(?:\.([0-9]+))?$/.exec(human) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * Formats base units as whole tokens with separators, such as "1,234,567.89".
 *
 * @param options.digits Maximum digits after the decimal point. Rounds down, so it never shows more than the amount.
 */
export function toDisplay(
  base: bigint,
  decimals: number,
  options: { digits?: number | undefined } = {},
): string {
  const [whole = '', fraction = ''] = toHuman(base, decimals).split('.')
  const shown = fraction.slice(0, options.digits ?? decimals).replace(/0+$/, '')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return shown === '' ? grouped : `${grouped}.${shown}`
}
