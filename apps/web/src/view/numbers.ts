import { Decimals } from '@sluice/domain'
import { shortAmountText } from '../format.js'
import type { Token } from '../machine/State.js'

/** An amount of a token, cut off where the eye stops; the exact one stands in the title. */
export function amountText(base: bigint, token: Token): string {
  return shortAmountText(base, token.decimals)
}

/** The same where a glance is all it gets: fewer digits of a large amount. */
export function glanceText(base: bigint, { decimals }: Token): string {
  if (decimals === undefined) return shortAmountText(base, decimals)
  const whole = base / 10n ** BigInt(decimals)
  if (whole === 0n) {
    const zeros = Math.max(0, decimals - String(base).length)
    return base === 0n || zeros > 8
      ? shortAmountText(base, decimals)
      : Decimals.toDisplay(base, decimals, { digits: zeros + 5 })
  }
  return Decimals.toDisplay(base, decimals, { digits: whole < 100n ? 4 : whole < 100_000n ? 2 : 0 })
}

/** About how much that is in USD; empty if no quote of ours says a price. */
export function usdText(base: bigint | undefined, token: Token, usd: number | undefined): string {
  if (base === undefined || usd === undefined || token.decimals === undefined) return ''
  const value = (Number(base) / 10 ** token.decimals) * usd
  if (value > 0 && value < 0.01) return 'below $0.01'
  const digits = value < 1_000 ? 2 : 0
  return `≈ $${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** How an amount differs from another, as "−0.31 %". A difference is never shown as none. */
export function changeText(from: bigint, to: bigint): string {
  if (from === 0n) return ''
  if (from === to) return '±0 %'
  const sign = to > from ? '+' : '−'
  const text = Math.abs(Number(((to - from) * 1_000_000n) / from) / 10_000).toFixed(2)
  if (text === '0.00') return `below 0.01 % ${to > from ? 'more' : 'less'}`
  return `${sign}${text} %`
}

export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 90) return `${seconds} s ago`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`
  return `${Math.round(seconds / 3_600)} h ago`
}

/** How far a route can be from the best one. */
export function gapText(gapBps: number): string {
  return gapBps < 0.01 ? 'below 0.01 bp' : `${gapBps.toFixed(2)} bp`
}
