/** The right to work, held by a caller from before the work begins until its response is ready. */
export type Slot = { readonly caller: string; users: number }

/** Tracks the slots in use. */
export type Slots = {
  /** Number of slots in use. */
  readonly busy: () => number
  readonly heldBy: (caller: string) => number
  /** Whether work of the caller may begin while there are `limit` slots. */
  readonly admits: (caller: string, limit: number) => boolean
  readonly take: (caller: string, key: string | undefined) => Slot
  /** Joins running work. Returns a function that releases the slot. */
  readonly join: (key: string | undefined) => (() => void) | undefined
  /** Returns a function that releases a slot; each of its users calls it once. */
  readonly leaveOf: (slot: Slot, key: string | undefined) => () => void
  readonly has: (key: string) => boolean
}

/**
 * Ratio of a caller's slots to the free ones: a single caller gets at most three quarters of all, and less if there are
 * others.
 */
const shareOfFree = 3

/** @param onFree Called when a slot becomes free. */
export function createSlots(onFree: () => void): Slots {
  let busy = 0
  const held = new Map<string, number>()
  const running = new Map<string, Slot>()
  const heldBy = (caller: string) => held.get(caller) ?? 0

  function leaveOf(slot: Slot, key: string | undefined): () => void {
    return () => {
      if (--slot.users > 0) return
      if (key !== undefined && running.get(key) === slot) running.delete(key)
      busy--
      const left = heldBy(slot.caller) - 1
      if (left > 0) held.set(slot.caller, left)
      else held.delete(slot.caller)
      onFree()
    }
  }

  return {
    busy: () => busy,
    heldBy,
    admits(caller, limit) {
      const free = Math.floor(limit) - busy
      return free > 0 && heldBy(caller) < Math.max(1, shareOfFree * free)
    },
    take(caller, key) {
      const slot: Slot = { caller, users: 1 }
      busy++
      held.set(caller, heldBy(caller) + 1)
      if (key !== undefined) running.set(key, slot)
      return slot
    },
    join(key) {
      const slot = key === undefined ? undefined : running.get(key)
      if (slot === undefined) return undefined
      slot.users++
      return leaveOf(slot, key)
    },
    leaveOf,
    has: (key) => running.has(key),
  }
}
