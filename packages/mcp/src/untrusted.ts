/** Maximum length of an untrusted text in a result, in characters. */
export const maxUntrustedLength = 32

/**
 * Replaces every character but printable ASCII with its code point, so that no character is invisible, reverses the
 * direction of text or colors a terminal.
 */
export function visible(text: string): string {
  return [...text]
    .map((char) =>
      /^[\x20-\x7e]$/.test(char) ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`,
    )
    .join('')
}

/**
 * Makes a text that anyone can write, from a chain or a market, visible and short. Use the result only in fields whose
 * names begin with `untrusted_`.
 */
export function untrusted(text: string): string {
  return visible(text).slice(0, maxUntrustedLength)
}

/**
 * Makes every text of a result visible, whatever the service wrote. Converts bigints to decimal strings, as in the API.
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
