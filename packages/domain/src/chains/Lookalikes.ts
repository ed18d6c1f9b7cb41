/** Signs that are read as a letter, within ASCII. */
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

/** What a symbol looks like to a hasty reader: letters for the signs that resemble them, and no dots or dashes. */
export function skeleton(symbol: string): string {
  const upper = symbol.toUpperCase()
  return alike
    .reduce((text, [sign, letter]) => text.replace(sign, letter), upper)
    .replace(/[._-]/g, '')
}

/** The symbol among `known` that this one resembles without being it. */
export function find(symbol: string, known: readonly string[]): string | undefined {
  const seen = [skeleton(symbol), symbol.toUpperCase().replace(/[.$_-]/g, '')]
  return known.find(
    (each) =>
      each.toUpperCase() !== symbol.toUpperCase() &&
      seen.some((form) => form === skeleton(each) || form === each.toUpperCase()),
  )
}
