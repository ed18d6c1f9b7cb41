/**
 * Characters that are invisible or change the text around them: controls, direction marks, zero-width characters, variation
 * selectors, tags, private use, line separators, and a third or later combining mark in a row.
 */
const tricky = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=\p{M}{2})\p{M}/gu

/** Maximum length of a displayed name, in characters. */
export const maxNameLength = 48

/**
 * Makes an untrusted text, such as a token's name, safe to show on a page: replaces invisible and direction-changing
 * characters with their code points, and cuts long texts. Does not escape markup; the caller must do that.
 */
export function visible(text: string, maxLength = maxNameLength): string {
  const shown = text.replace(tricky, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
  const signs = [...shown]
  return signs.length <= maxLength ? shown : `${signs.slice(0, maxLength - 1).join('')}…`
}

/**
 * Makes a name from a request safe to repeat in a response: returns only a plain identifier unchanged, because people,
 * terminals and language models read responses.
 */
export function shownName(name: string): string {
  return /^[A-Za-z0-9_.-]{1,32}$/.test(name) ? name : 'unknown'
}

/** Maximum length of an untrusted text in a response, in characters. */
const maxShownLength = 32

/**
 * Makes a token's own text safe to put into a response: short, and only ASCII characters that a page, a terminal or a shell
 * does not interpret. Its meaning is still untrusted.
 */
export function shownText(text: string): string {
  return [...text]
    .slice(0, maxShownLength)
    .map((char) => (/^[A-Za-z0-9 .,:;!$%+=@#()[\]/_-]$/.test(char) ? char : '?'))
    .join('')
}
