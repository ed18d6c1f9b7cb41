/**
 * A caller's own word as an answer may repeat it. Answers are read by people, terminals and language models, so nothing
 * that could speak to one of them comes back: plain identifiers do, all else is not shown.
 */
export function shownName(name: string): string {
  return /^[A-Za-z0-9_.-]{1,32}$/.test(name) ? name : 'unknown'
}

/** Longest text of a stranger that an answer repeats. */
const maxShown = 32

/**
 * A token's own text as an answer may show it: short, in ASCII characters, with nothing that a page, a terminal or a shell
 * takes for more than a text. What it says is still a stranger's word.
 */
export function shownText(text: string): string {
  return [...text]
    .slice(0, maxShown)
    .map((sign) => (/^[A-Za-z0-9 .,:;!$%+=@#()[\]/_-]$/.test(sign) ? sign : '?'))
    .join('')
}
