/** A map of bounded size that drops the entry used longest ago. */
export type Lru<key, value> = {
  /** The value of a key, which then counts as used. */
  readonly get: (key: key) => value | undefined
  readonly put: (key: key, value: value) => void
  readonly delete: (key: key) => void
  readonly clear: () => void
}

/** An empty map for `limit` entries. */
export function create<key, value>(limit: number): Lru<key, value> {
  // A Map lists its keys in the order in which they were set, so the first one was used longest ago.
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
