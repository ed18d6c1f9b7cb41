import type { ShedError } from './ShedError.js'

/** Work that waits for a slot. */
export type Waiter = {
  readonly caller: string
  readonly key: string | undefined
  /** All requests for the same work. */
  readonly askers: { begin: (leave: () => void) => void; giveUp: (error: ShedError) => void }[]
  /** Monotonic milliseconds. */
  readonly since: number
  /** When it is refused, in milliseconds of the queue's own clock. */
  readonly until: number
}

const stepMs = 10

/** Queue for slots: first come, first served for each caller. */
export type Waiting = {
  readonly count: () => number
  readonly countOf: (caller: string) => number
  /** How long the queue has not been empty, in milliseconds. */
  readonly crowdedMs: () => number
  /** The waiting work with a key. */
  readonly find: (key: string | undefined) => Waiter | undefined
  readonly add: (work: { caller: string; key: string | undefined; patienceMs: number }) => Waiter
  readonly remove: (waiter: Waiter) => void
  /** The waiting work of the caller with the most, in order. */
  readonly longest: () => readonly Waiter[]
  /** The first work of the admitted caller with the fewest slots. */
  readonly next: (
    admits: (caller: string) => boolean,
    heldBy: (caller: string) => number,
  ) => Waiter | undefined
}

/**
 * Creates an empty queue. Its clock counts steps, one at a time however long the process was blocked: work that arrived
 * meanwhile had no chance to begin.
 *
 * @param onOverdue Called for work that waited longer than its patience.
 */
export function createWaiting(onOverdue: (waiter: Waiter) => void): Waiting {
  const waiting = new Map<string, Waiter[]>()
  const byKey = new Map<string, Waiter>()
  let count = 0
  /** When the queue was last empty (monotonic milliseconds). */
  let clearAt = 0
  let waitedMs = 0
  let clock: NodeJS.Timeout | undefined

  function tick(): void {
    waitedMs += stepMs
    for (const own of [...waiting.values()])
      for (const waiter of own.filter(({ until }) => until <= waitedMs)) onOverdue(waiter)
    if (count > 0) return
    clearInterval(clock)
    clock = undefined
  }

  return {
    count: () => count,
    countOf: (caller) => waiting.get(caller)?.length ?? 0,
    crowdedMs: () => (count === 0 ? 0 : performance.now() - clearAt),
    find: (key) => (key === undefined ? undefined : byKey.get(key)),
    add({ caller, key, patienceMs }) {
      const since = performance.now()
      const waiter: Waiter = { caller, key, askers: [], since, until: waitedMs + patienceMs }
      if (count === 0) clearAt = since
      clock ??= setInterval(tick, stepMs)
      const others = waiting.get(caller)
      if (others === undefined) waiting.set(caller, [waiter])
      else others.push(waiter)
      if (key !== undefined) byKey.set(key, waiter)
      count++
      return waiter
    },
    remove(waiter) {
      const own = waiting.get(waiter.caller)!
      own.splice(own.indexOf(waiter), 1)
      if (--count === 0) clearAt = performance.now()
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
