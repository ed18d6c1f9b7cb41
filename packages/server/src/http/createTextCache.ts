/**
 * Texts by key, for a moment: equal questions of one moment have equal answers, so the first one's text serves the
 * rest. Holds a bounded number and forgets them all when the moment has passed.
 */
export function createTextCache(maxEntries: number) {
  const texts = new Map<string, string>()
  let current = Number.NaN
  return (moment: number, key: string, make: () => string): string => {
    if (moment !== current) {
      texts.clear()
      current = moment
    }
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = make()
    if (texts.size < maxEntries) texts.set(key, text)
    return text
  }
}
