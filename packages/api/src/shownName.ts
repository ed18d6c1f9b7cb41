/**
 * A caller's own word as an answer may repeat it. Answers are read by people, terminals and language models, so nothing
 * that could speak to one of them comes back: plain identifiers do, all else is not shown.
 */
export function shownName(name: string): string {
  return /^[A-Za-z0-9_.-]{1,32}$/.test(name) ? name : 'unknown'
}
