/** Why work was turned away: more was waiting than can be begun in time, or it waited too long. */
export type ShedReason = 'queue_full' | 'waited'

/**
 * How much work is under way at a time, and whose turn is next.
 *
 * Work holds a slot from before it begins until its answer is there. The number of slots follows how late the process is
 * with what it has (`adapt`), so that work waits outside, where it costs nothing and can be turned away, and not inside,
 * where all of it would become late together.
 *
 * One piece of work begins in a turn of the process. Node takes one new connection in a turn: if everything that arrived in
 * a turn began in it, turns would be long, and whoever connects would wait for seconds before anybody reads what they ask.
 * So if the processor is the limit, work waits here too, with slots free, and how much may wait follows how long it takes.
 */
export type Limiter = {
  /** Whether work of this caller would be turned away at once. Work that is under way already is joined by its key. */
  readonly isFull: (caller: string, key?: string) => boolean
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

export class ShedError extends Error {
  override readonly name = 'ShedError'
  constructor(readonly reason: ShedReason) {
    super('Work was turned away.')
  }
}

/** Made once: an error's stack costs more than to give it. */
const shedErrors = { queue_full: new ShedError('queue_full'), waited: new ShedError('waited') }

type Slot = { readonly caller: string; users: number }
type Waiter = {
  readonly caller: string
  readonly key: string | undefined
  /** All who ask for the same. */
  readonly askers: { begin: (leave: () => void) => void; giveUp: (error: ShedError) => void }[]
  timer: NodeJS.Timeout | undefined
  readonly since: number
}

const leastSlots = 8
const firstSlots = 32
/** A caller may hold so many times what it leaves free: three quarters of all if it is alone, and less beside others. */
const shareOfFree = 3
/** How long work waits for a slot: for a caller with many, and for one with less than an eighth of all. */
const [patienceMs, longPatienceMs] = [40, 1_000]
const smallShare = 8
/** If nobody waited this recently it is a burst, which passes: then all wait for as long. */
const burstMs = 200
/** Pieces of work that may wait, at least and at most; fewer if they waited longer than this on average. */
const [leastWaiting, mostWaiting] = [16, 256]
const goodWaitMs = 20

export function createLimiter(options: createLimiter.Options): Limiter {
  const { maxLateMs, maxSlots, nextTurn = setImmediate } = options
  let limit = maxLateMs === 0 ? maxSlots : Math.min(firstSlots, maxSlots)
  let busy = 0
  /** Whether all slots were in use since the last look. */
  let wasFull = false
  const held = new Map<string, number>()
  const running = new Map<string, Slot>()
  /** First come, first served for each caller. */
  const waiting = new Map<string, Waiter[]>()
  const waitingFor = new Map<string, Waiter>()
  let waitingCount = 0
  let room = Math.max(leastWaiting, 2 * limit)
  /** Whether somebody was turned away since the last look, how many who waited began, and how long they waited in all. */
  let [wasCrowded, begun, waitedMs] = [false, 0, 0]
  let isTurnTaken = false
  /** When nobody waited for the last time, by the monotonic clock. */
  let clearAt = Number.NEGATIVE_INFINITY

  const heldBy = (caller: string) => held.get(caller) ?? 0
  const admits = (caller: string) => {
    const free = Math.floor(limit) - busy
    return free > 0 && heldBy(caller) < Math.max(1, shareOfFree * free)
  }

  function take(caller: string, key: string | undefined): Slot {
    const slot: Slot = { caller, users: 1 }
    busy++
    held.set(caller, heldBy(caller) + 1)
    if (key !== undefined) running.set(key, slot)
    isTurnTaken = true
    nextTurn(endTurn)
    return slot
  }

  function leaveOf(slot: Slot, key: string | undefined): () => void {
    return () => {
      if (--slot.users > 0) return
      if (key !== undefined && running.get(key) === slot) running.delete(key)
      busy--
      const left = heldBy(slot.caller) - 1
      if (left > 0) held.set(slot.caller, left)
      else held.delete(slot.caller)
      admitWaiting()
    }
  }

  function join(key: string | undefined): (() => void) | undefined {
    const slot = key === undefined ? undefined : running.get(key)
    if (slot === undefined) return undefined
    slot.users++
    return leaveOf(slot, key)
  }

  function endTurn(): void {
    isTurnTaken = false
    admitWaiting()
  }

  /** The caller who holds the least comes first. */
  function admitWaiting(): void {
    if (isTurnTaken || waitingCount === 0) return
    let next: string | undefined
    for (const caller of waiting.keys())
      if (admits(caller) && (next === undefined || heldBy(caller) < heldBy(next))) next = caller
    if (next === undefined) return
    const waiter = waiting.get(next)![0]!
    remove(waiter)
    begun++
    waitedMs += performance.now() - waiter.since
    const slot = take(waiter.caller, waiter.key)
    slot.users = waiter.askers.length
    for (const { begin } of waiter.askers) begin(leaveOf(slot, waiter.key))
  }

  function remove(waiter: Waiter): void {
    const own = waiting.get(waiter.caller)!
    own.splice(own.indexOf(waiter), 1)
    if (--waitingCount === 0) clearAt = performance.now()
    clearTimeout(waiter.timer)
    if (waiter.key !== undefined) waitingFor.delete(waiter.key)
    waiting.delete(waiter.caller)
    // Last in turn among those who hold as much.
    if (own.length > 0) waiting.set(waiter.caller, own)
  }

  /** Whoever has the most waiting gives way to those with less. */
  function longest(): Waiter[] {
    let most: Waiter[] = []
    for (const own of waiting.values()) if (own.length > most.length) most = own
    return most
  }

  const hasRoom = (caller: string) =>
    waitingCount < Math.floor(room) || longest().length > (waiting.get(caller)?.length ?? 0) + 1

  function turnAway(waiter: Waiter, reason: ShedReason): void {
    remove(waiter)
    for (const { giveUp } of waiter.askers) giveUp(shedErrors[reason])
  }

  function wait(caller: string, key: string | undefined): Waiter {
    if (waitingCount >= Math.floor(room)) turnAway(longest().at(-1)!, 'queue_full')
    const since = performance.now()
    if (waitingCount === 0) clearAt = since
    const waiter: Waiter = { caller, key, askers: [], timer: undefined, since }
    const own = heldBy(caller) + (waiting.get(caller)?.length ?? 0)
    const shortMs = since - clearAt < burstMs ? burstMs : patienceMs
    const ms = smallShare * own < limit ? longPatienceMs : shortMs
    waiter.timer = setTimeout(turnAway, ms, waiter, 'waited')
    const others = waiting.get(caller)
    if (others === undefined) waiting.set(caller, [waiter])
    else others.push(waiter)
    if (key !== undefined) waitingFor.set(key, waiter)
    waitingCount++
    return waiter
  }

  /** Whether work could begin right now. If no turn is taken, nobody waits who could. */
  function isFree(caller: string): boolean {
    const isAdmitted = admits(caller)
    if (!isAdmitted) wasFull = true
    return isAdmitted && !isTurnTaken
  }

  /** More may wait while those who do wait for a short time, and fewer if they wait for long. */
  function adaptRoom(): void {
    const waitMs = begun === 0 ? 0 : waitedMs / begun
    if (waitMs > goodWaitMs)
      room = Math.max(leastWaiting, room * Math.max(0.7, goodWaitMs / waitMs))
    else if (wasCrowded && begun > 0) room = Math.min(mostWaiting, room * 1.1 + 1)
    ;[wasCrowded, begun, waitedMs] = [false, 0, 0]
  }

  return {
    isFull(caller, key) {
      if (key !== undefined && (running.has(key) || waitingFor.has(key))) return false
      if (isFree(caller) || hasRoom(caller)) return false
      wasCrowded = true
      return true
    },
    async enter(caller, key) {
      const joined = join(key)
      if (joined !== undefined) return joined
      let waiter = key === undefined ? undefined : waitingFor.get(key)
      if (waiter === undefined && isFree(caller)) return leaveOf(take(caller, key), key)
      if (waiter === undefined && !hasRoom(caller)) {
        wasCrowded = true
        throw shedErrors.queue_full
      }
      waiter ??= wait(caller, key)
      return new Promise((begin, giveUp) => waiter.askers.push({ begin, giveUp }))
    },
    adapt(lateMs) {
      // With most slots free, it is other programs that make the process late, and nothing is won by fewer slots.
      const isCause = wasFull || 2 * busy >= limit
      if (maxLateMs === 0) return
      if (lateMs > maxLateMs && isCause)
        limit = Math.max(leastSlots, limit * Math.max(0.7, maxLateMs / lateMs))
      if (lateMs <= maxLateMs && wasFull) limit = Math.min(maxSlots, limit * 1.1 + 1)
      adaptRoom()
      admitWaiting()
      wasFull = waitingCount > 0 && !isTurnTaken
    },
    counts: () => ({ limit: Math.floor(limit), busy, waiting: waitingCount }),
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
