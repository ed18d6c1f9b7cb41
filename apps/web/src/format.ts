import { Decimals } from '@sluice/domain'

/** An amount for people, or the integer it is if the decimals are not known. */
export function amountText(base: bigint, decimals: number | undefined, name: string): string {
  if (decimals === undefined) return `${base} base units of ${name}`
  return `${Decimals.toDisplay(base, decimals)} ${name}`
}

/** The same if there is little room; cut off, since the exact one stands elsewhere. */
export function shortAmountText(base: bigint, decimals: number | undefined): string {
  if (decimals === undefined) return `${base} base units`
  const whole = base / 10n ** BigInt(decimals)
  const shown = Decimals.toDisplay(base, decimals, { digits: whole === 0n ? 12 : 6 })
  return shown === '0' && base > 0n ? 'below 0.000000000001' : shown
}

/** Basis points as percent. */
export function percentText(bps: number, digits = 2): string {
  return `${(bps / 100).toFixed(digits)} %`
}

const rateDigits = 6

/** What one whole token costs in the other, cut off at six digits that count. */
export function rateText(
  given: { base: bigint; decimals: number },
  got: { base: bigint; decimals: number },
): string {
  const scale = 24
  const scaled =
    (got.base * 10n ** BigInt(given.decimals + scale)) / (given.base * 10n ** BigInt(got.decimals))
  const text = Decimals.toHuman(scaled, scale)
  const [whole = '0', fraction = ''] = text.split('.')
  const zeros = whole === '0' ? /^0*/.exec(fraction)![0].length : 0
  const digits = Math.max(2, whole === '0' ? zeros + rateDigits : rateDigits - whole.length)
  return Decimals.toDisplay(scaled, scale, { digits })
}

/** JSON of an answer as it came: integers are texts there. */
export function jsonText(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member) => (typeof member === 'bigint' ? String(member) : member),
    2,
  )
}
