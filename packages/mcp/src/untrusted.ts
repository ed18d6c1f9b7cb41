/** Longest text of strangers that is passed on. */
export const maxUntrustedLength = 32

/** Printable ASCII alone: everything else as its code point, so that nothing can hide, turn the line or colour it. */
export function visible(text: string): string {
  return [...text]
    .map((char) =>
      /^[\x20-\x7e]$/.test(char) ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`,
    )
    .join('')
}

/**
 * Text from a chain or a market, which anyone can write: visible and short. It goes only into fields whose names begin
 * with `untrusted_`.
 */
export function untrusted(text: string): string {
  return visible(text).slice(0, maxUntrustedLength)
}

/**
 * Makes every text of an answer visible, whatever a service put there. Integers of the chain become decimal texts,
 * which is their form on the wire.
 */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(plainJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[visible(name), plainJson(member)]],
    ),
  )
}
