/** A map of bounded size that drops what was used least recently. */
export type Lru<key, value> = {
  readonly get: (key: key) => value | undefined
  readonly put: (key: key, value: value) => void
}

export function createLru<key, value>(limit: number): Lru<key, value> {
  const entries = new Map<key, value>()
  return {
    get(key) {
      const found = entries.get(key)
      if (found === undefined) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found
    },
    put(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= limit) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
  }
}
