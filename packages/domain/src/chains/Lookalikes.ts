/** ASCII characters that look like a letter, with that letter. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/VV/g, 'W'],
  [/RN/g, 'M'],
  [/[0Q]/g, 'O'],
  [/[1|L]/g, 'I'],
  [/[5$]/g, 'S'],
  [/3/g, 'E'],
  [/7/g, 'T'],
  [/8/g, 'B'],
]

/** The symbol as a hasty reader sees it: replaces similar characters with one letter, and drops dots and dashes. */
export function skeleton(symbol: string): string {
  const upper = symbol.toUpperCase()
  return alike
    .reduce((text, [sign, letter]) => text.replace(sign, letter), upper)
    .replace(/[._-]/g, '')
}

/** The known symbol that `symbol` resembles but does not equal. */
export function find(symbol: string, known: readonly string[]): string | undefined {
  const seen = [skeleton(symbol), symbol.toUpperCase().replace(/[.$_-]/g, '')]
  return known.find(
    (each) =>
      each.toUpperCase() !== symbol.toUpperCase() &&
      seen.some((form) => form === skeleton(each) || form === each.toUpperCase()),
  )
}
