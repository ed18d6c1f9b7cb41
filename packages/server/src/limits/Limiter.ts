import { ShedError, type ShedReason } from './ShedError.js'
import { createSlots } from './Slots.js'
import { createWaiting, type Waiter } from './Waiting.js'

/**
 * Limits concurrent work, and decides whose turn is next.
 *
 * Work holds a slot from before it begins until its response is ready. The number of slots follows the event loop delay
 * (`adapt`). So excess work waits outside, where it costs nothing and can be refused, and not inside, where all work
 * would be late together.
 *
 * Work begins for a quarter of a millisecond per event loop turn. Node accepts one new connection per turn. If all work
 * that arrived in a turn began in it, turns would be long, and new clients would wait seconds until they are read. So
 * if the processor is the bottleneck, work waits here even with free slots, and the length of the queue follows the
 * waiting times.
 */
export type Limiter = {
  /** Whether work of this caller would be refused at once. Work with the key of running work joins it. */
  readonly isFull: (caller: string, key?: string) => boolean
  /** Takes a slot if one is free now. Returns a function that releases it; call it once. */
  readonly tryEnter: (caller: string, key?: string) => (() => void) | undefined
  /**
   * Waits for a slot.
   *
   * @returns A function that releases the slot; call it once.
   * @throws ShedError
   */
  readonly enter: (caller: string, key?: string) => Promise<() => void>
  /** Reports the event loop delay in milliseconds; call it often. */
  readonly adapt: (lateMs: number) => void
  readonly counts: () => LimiterCounts
}

export type LimiterCounts = {
  readonly limit: number
  readonly busy: number
  readonly waiting: number
}

export { ShedError, type ShedReason }

/** Created once, because collecting a stack trace is expensive. */
const shedErrors = { queue_full: new ShedError('queue_full'), waited: new ShedError('waited') }

/** Time per event loop turn in which work may begin, in milliseconds. */
const turnMs = 0.25
/** Runs a function after the work that just began waits for something or has ended. */
const afterBegun = (run: () => void) => queueMicrotask(() => process.nextTick(run))

const minSlots = 8
const firstSlots = 32
/**
 * Maximum wait for a slot in milliseconds: of a caller with many slots, and of one with less than an eighth of them.
 */
const [patienceMs, longPatienceMs] = [40, 1_000]
const smallShare = 8
/**
 * If the queue was empty this recently, in milliseconds, it is a short burst: then callers with many slots wait this
 * long too.
 */
const burstMs = 200
/** Bounds on the number of waiting pieces of work. It shrinks if they waited longer than `goodWaitMs` on average. */
const [minWaiting, maxWaiting] = [16, 256]
const goodWaitMs = 20

/** Creates a limiter. It grants free slots at once while the process is not late. */
export function createLimiter(options: createLimiter.Options): Limiter {
  const { maxLateMs, maxSlots, nextTurn = setImmediate } = options
  let limit = maxLateMs === 0 ? maxSlots : Math.min(firstSlots, maxSlots)
  const slots = createSlots(admitWaiting)
  const waiting = createWaiting((waiter) => turnAway(waiter, 'waited'))
  const turn = createTurn(nextTurn, admitWaiting)
  const room = createRoom(2 * limit)
  /** Whether all slots were in use since the last call of `adapt`. */
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

  /** The caller with the most waiting work gives way to callers with less. */
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

  /** Whether work could begin now. */
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

/** Lowers the number of slots while the process is late because of its own work, and raises it while it keeps up. */
function nextLimit(
  limit: number,
  look: { lateMs: number; maxLateMs: number; maxSlots: number; wasFull: boolean; busy: number },
): number {
  const { busy, lateMs, maxLateMs, maxSlots, wasFull } = look
  // If most slots are free, other programs cause the delay, and fewer slots would not help.
  const isCause = wasFull || 2 * busy >= limit
  if (lateMs > maxLateMs)
    return isCause ? Math.max(minSlots, limit * Math.max(0.7, maxLateMs / lateMs)) : limit
  return wasFull ? Math.min(maxSlots, limit * 1.1 + 1) : limit
}

/** Limits how much work begins in an event loop turn. */
function createTurn(nextTurn: (run: () => void) => void, onNext: () => void) {
  /** When the first piece of work of this turn began (monotonic milliseconds). */
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

/** Length of the queue: grows while waits are short, shrinks if they are long. */
function createRoom(first: number) {
  let size = Math.max(minWaiting, first)
  /** Since the last call of `adapt`: whether work was refused, how many waiters began, and their total wait. */
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
    /** Event loop delay in milliseconds from which work has to wait; 0 always grants all slots. */
    maxLateMs: number
    /** Runs a function in the next event loop turn. @default setImmediate */
    nextTurn?: ((run: () => void) => void) | undefined
  }
}
