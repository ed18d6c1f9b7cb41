import type { ShedError } from './ShedError.js'

/** Work that waits for a slot. */
export type Waiter = {
  readonly caller: string
  readonly key: string | undefined
  /** All requests for the same work. */
  readonly askers: { begin: (leave: () => void) => void; giveUp: (error: ShedError) => void }[]
  timer: NodeJS.Timeout | undefined
  readonly since: number
}

/** Queue for slots: first come, first served for each caller. */
export type Waiting = {
  readonly count: () => number
  readonly countOf: (caller: string) => number
  /** When the queue was last empty (monotonic milliseconds). */
  readonly clearAt: () => number
  /** The waiting work with a key. */
  readonly find: (key: string | undefined) => Waiter | undefined
  readonly add: (waiter: Waiter) => void
  readonly remove: (waiter: Waiter) => void
  /** The waiting work of the caller with the most, in order. */
  readonly longest: () => readonly Waiter[]
  /** The first work of the admitted caller with the fewest slots. */
  readonly next: (
    admits: (caller: string) => boolean,
    heldBy: (caller: string) => number,
  ) => Waiter | undefined
}

/** Creates an empty queue. */
export function createWaiting(): Waiting {
  const waiting = new Map<string, Waiter[]>()
  const byKey = new Map<string, Waiter>()
  let count = 0
  let clearAt = Number.NEGATIVE_INFINITY
  return {
    count: () => count,
    countOf: (caller) => waiting.get(caller)?.length ?? 0,
    clearAt: () => clearAt,
    find: (key) => (key === undefined ? undefined : byKey.get(key)),
    add(waiter) {
      const { caller, key, since } = waiter
      if (count === 0) clearAt = since
      const others = waiting.get(caller)
      if (others === undefined) waiting.set(caller, [waiter])
      else others.push(waiter)
      if (key !== undefined) byKey.set(key, waiter)
      count++
    },
    remove(waiter) {
      const own = waiting.get(waiter.caller)!
      own.splice(own.indexOf(waiter), 1)
      if (--count === 0) clearAt = performance.now()
      clearTimeout(waiter.timer)
      if (waiter.key !== undefined) byKey.delete(waiter.key)
      waiting.delete(waiter.caller)
      // Moves the caller behind others who hold as many slots.
      if (own.length > 0) waiting.set(waiter.caller, own)
    },
    longest() {
      let longest: Waiter[] = []
      for (const own of waiting.values()) if (own.length > longest.length) longest = own
      return longest
    },
    next(admits, heldBy) {
      let next: string | undefined
      for (const caller of waiting.keys())
        if (admits(caller) && (next === undefined || heldBy(caller) < heldBy(next))) next = caller
      return next === undefined ? undefined : waiting.get(next)![0]
    },
  }
}
