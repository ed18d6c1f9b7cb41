/** The right to work, held by a caller from before the work begins until its answer is there. */
export type Slot = { readonly caller: string; users: number }

/** Who holds slots. */
export type Slots = {
  /** Slots in use. */
  readonly busy: () => number
  readonly heldBy: (caller: string) => number
  /** Whether work of the caller may begin while there are `limit` slots. */
  readonly admits: (caller: string, limit: number) => boolean
  readonly take: (caller: string, key: string | undefined) => Slot
  /** Joins work that is under way; returns what gives the slot back. */
  readonly join: (key: string | undefined) => (() => void) | undefined
  /** What gives a slot back; to be called once by each of its users. */
  readonly leaveOf: (slot: Slot, key: string | undefined) => () => void
  readonly has: (key: string) => boolean
}

/** A caller may hold so many times what it leaves free: three quarters of all if it is alone, and less beside others. */
const shareOfFree = 3

/** @param onFree Called when a slot is free again. */
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
