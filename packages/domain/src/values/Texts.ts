/**
 * Signs that hide, join, turn or stack what stands around them: controls, direction marks, zero-width signs, variation
 * selectors, tags, private use, line separators, and more combining marks than any script needs.
 */
const tricky = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=\p{M}{2})\p{M}/gu

/** Longest name that is shown whole. */
export const maxNameLength = 48

/**
 * A text of strangers, such as a token's name, as it may stand on a page: what would hide or turn the text becomes its
 * code point, and it ends before it takes the page over. Says nothing about markup: that is for whoever writes the page.
 */
export function visible(text: string, maxLength = maxNameLength): string {
  const shown = text.replace(tricky, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
  const signs = [...shown]
  return signs.length <= maxLength ? shown : `${signs.slice(0, maxLength - 1).join('')}…`
}

/**
 * A caller's own word as an answer may repeat it. People, terminals and language models read answers, so only a plain
 * identifier comes back as it was sent.
 */
export function shownName(name: string): string {
  return /^[A-Za-z0-9_.-]{1,32}$/.test(name) ? name : 'unknown'
}

/** Longest text of a stranger that an answer repeats. */
const maxShownLength = 32

/**
 * A token's own text as an answer may show it: short, in ASCII characters, with nothing that a page, a terminal or a
 * shell takes for more than a text. What it says is still a stranger's word.
 */
export function shownText(text: string): string {
  return [...text]
    .slice(0, maxShownLength)
    .map((char) => (/^[A-Za-z0-9 .,:;!$%+=@#()[\]/_-]$/.test(char) ? char : '?'))
    .join('')
}
