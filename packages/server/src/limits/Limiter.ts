import { ShedError, type ShedReason } from './ShedError.js'
import { createSlots } from './Slots.js'
import { createWaiting, type Waiter } from './Waiting.js'

/**
 * How much work is under way at a time, and whose turn is next.
 *
 * Work holds a slot from before it begins until its answer is there. The number of slots follows how late the process is
 * with what it has (`adapt`), so that work waits outside, where it costs nothing and can be turned away, and not inside,
 * where all of it would become late together.
 *
 * In a turn of the process, work begins for a quarter of a millisecond. Node takes one new connection in a turn: if
 * everything that arrived in a turn began in it, turns would be long, and whoever connects would wait for seconds before
 * anybody reads what they ask. So if the processor is the limit, work waits here too, with slots free, and how much may wait
 * follows how long it takes.
 */
export type Limiter = {
  /** Whether work of this caller would be turned away at once. Work that is under way already is joined by its key. */
  readonly isFull: (caller: string, key?: string) => boolean
  /** Takes a slot if one is free right now; returns what gives it back, to be called once. */
  readonly tryEnter: (caller: string, key?: string) => (() => void) | undefined
  /**
   * Waits for a slot.
   *
   * @returns What gives the slot back; to be called once.
   * @throws ShedError
   */
  readonly enter: (caller: string, key?: string) => Promise<() => void>
  /** Tells how late the process is, in milliseconds; to be called often. */
  readonly adapt: (lateMs: number) => void
  readonly counts: () => LimiterCounts
}

export type LimiterCounts = {
  readonly limit: number
  readonly busy: number
  readonly waiting: number
}

export { ShedError, type ShedReason }

/** Made once: an error's stack costs more than to give it. */
const shedErrors = { queue_full: new ShedError('queue_full'), waited: new ShedError('waited') }

/** For how long work may begin in a turn of the process. */
const turnMs = 0.25
/** Runs something once the work that just began waits for something else, or is done. */
const afterBegun = (run: () => void) => queueMicrotask(() => process.nextTick(run))

const minSlots = 8
const firstSlots = 32
/** How long work waits for a slot: for a caller with many, and for one with less than an eighth of all. */
const [patienceMs, longPatienceMs] = [40, 1_000]
const smallShare = 8
/** If nobody waited this recently it is a burst, which passes: then all wait for as long. */
const burstMs = 200
/** Pieces of work that may wait, at least and at most; fewer if they waited longer than this on average. */
const [minWaiting, maxWaiting] = [16, 256]
const goodWaitMs = 20

/** Creates a limiter that gives out its slots at once while the process is in time. */
export function createLimiter(options: createLimiter.Options): Limiter {
  const { maxLateMs, maxSlots, nextTurn = setImmediate } = options
  let limit = maxLateMs === 0 ? maxSlots : Math.min(firstSlots, maxSlots)
  const slots = createSlots(admitWaiting)
  const waiting = createWaiting((waiter) => turnAway(waiter, 'waited'))
  const turn = createTurn(nextTurn, admitWaiting)
  const room = createRoom(2 * limit)
  /** Whether all slots were in use since the last look. */
  let wasFull = false

  const admits = (caller: string) => slots.admits(caller, limit)

  function take(caller: string, key: string | undefined) {
    const slot = slots.take(caller, key)
    turn.noteBegun()
    return slot
  }

  function admitWaiting(): void {
    if (waiting.count() === 0 || turn.isOver()) return
    const waiter = waiting.next(admits, slots.heldBy)
    if (waiter === undefined) return
    waiting.remove(waiter)
    room.noteBegun(performance.now() - waiter.since)
    const slot = take(waiter.caller, waiter.key)
    slot.users = waiter.askers.length
    for (const { begin } of waiter.askers) begin(slots.leaveOf(slot, waiter.key))
    afterBegun(admitWaiting)
  }

  /** Whoever has the most waiting gives way to those with less. */
  const hasRoom = (caller: string) =>
    waiting.count() < room.size() || waiting.longest().length > waiting.countOf(caller) + 1

  function turnAway(waiter: Waiter, reason: ShedReason): void {
    waiting.remove(waiter)
    for (const { giveUp } of waiter.askers) giveUp(shedErrors[reason])
  }

  function wait(caller: string, key: string | undefined): Waiter {
    if (waiting.count() >= room.size()) turnAway(waiting.longest().at(-1)!, 'queue_full')
    const own = slots.heldBy(caller) + waiting.countOf(caller)
    const shortMs = waiting.crowdedMs() < burstMs ? burstMs : patienceMs
    return waiting.add({
      ...{ caller, key },
      patienceMs: smallShare * own < limit ? longPatienceMs : shortMs,
    })
  }

  /** Whether work could begin right now. If no turn is taken, nobody waits who could. */
  function isFree(caller: string): boolean {
    const isAdmitted = admits(caller)
    if (!isAdmitted) wasFull = true
    return isAdmitted && !turn.isOver()
  }

  function tryEnter(caller: string, key?: string): (() => void) | undefined {
    const joined = slots.join(key)
    if (joined !== undefined) return joined
    const isFirst = waiting.find(key) === undefined
    return isFirst && isFree(caller) ? slots.leaveOf(take(caller, key), key) : undefined
  }

  return {
    tryEnter,
    isFull(caller, key) {
      if (key !== undefined && (slots.has(key) || waiting.find(key))) return false
      if (isFree(caller) || hasRoom(caller)) return false
      room.noteCrowd()
      return true
    },
    async enter(caller, key) {
      const leave = tryEnter(caller, key)
      if (leave !== undefined) return leave
      let waiter = waiting.find(key)
      if (waiter === undefined && !hasRoom(caller)) {
        room.noteCrowd()
        throw shedErrors.queue_full
      }
      waiter ??= wait(caller, key)
      return new Promise((begin, giveUp) => waiter.askers.push({ begin, giveUp }))
    },
    adapt(lateMs) {
      if (maxLateMs === 0) return
      limit = nextLimit(limit, { lateMs, maxLateMs, maxSlots, wasFull, busy: slots.busy() })
      room.adapt()
      admitWaiting()
      wasFull = waiting.count() > 0 && !turn.isOver()
    },
    counts: () => ({ limit: Math.floor(limit), busy: slots.busy(), waiting: waiting.count() }),
  }
}

/** Fewer slots while the process is late because of its own work, and more while it keeps up. */
function nextLimit(
  limit: number,
  look: { lateMs: number; maxLateMs: number; maxSlots: number; wasFull: boolean; busy: number },
): number {
  const { busy, lateMs, maxLateMs, maxSlots, wasFull } = look
  // If most slots are free, other programs make the process late, and fewer slots would not help.
  const isCause = wasFull || 2 * busy >= limit
  if (lateMs > maxLateMs)
    return isCause ? Math.max(minSlots, limit * Math.max(0.7, maxLateMs / lateMs)) : limit
  return wasFull ? Math.min(maxSlots, limit * 1.1 + 1) : limit
}

/** Bounds how much work begins in a turn of the process. */
function createTurn(nextTurn: (run: () => void) => void, onNext: () => void) {
  /** When the first piece of work of this turn began. */
  let since: number | undefined
  const end = () => {
    since = undefined
    onNext()
  }
  return {
    isOver: () => since !== undefined && performance.now() - since >= turnMs,
    noteBegun() {
      if (since !== undefined) return
      since = performance.now()
      nextTurn(end)
    },
  }
}

/** How much work may wait: more while waits are short, and less if they are long. */
function createRoom(first: number) {
  let size = Math.max(minWaiting, first)
  /** Since the last look: whether somebody was turned away, how many who waited began, and how long they waited in all. */
  let [wasCrowded, begun, waitedMs] = [false, 0, 0]
  return {
    size: () => Math.floor(size),
    noteCrowd() {
      wasCrowded = true
    },
    noteBegun(ms: number) {
      begun++
      waitedMs += ms
    },
    adapt() {
      const waitMs = begun === 0 ? 0 : waitedMs / begun
      if (waitMs > goodWaitMs)
        size = Math.max(minWaiting, size * Math.max(0.7, goodWaitMs / waitMs))
      else if (wasCrowded && begun > 0) size = Math.min(maxWaiting, size * 1.1 + 1)
      ;[wasCrowded, begun, waitedMs] = [false, 0, 0]
    },
  }
}

export declare namespace createLimiter {
  type Options = {
    maxSlots: number
    /** How late the process may be before work has to wait outside, in milliseconds; 0 gives out all slots at all times. */
    maxLateMs: number
    /** Runs something in the next turn of the process. @default setImmediate */
    nextTurn?: ((run: () => void) => void) | undefined
  }
}
