/** A map of bounded size that drops the least recently used entry. */
export type Lru<key, value> = {
  /** Returns the value of a key and marks it as used. */
  readonly get: (key: key) => value | undefined
  readonly put: (key: key, value: value) => void
  readonly delete: (key: key) => void
  readonly clear: () => void
}

/** Creates an empty map for up to `limit` entries. */
export function create<key, value>(limit: number): Lru<key, value> {
  // A Map keeps its keys in insertion order, so the first key is the least recently used.
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
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}
