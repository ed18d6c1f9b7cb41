import { createHash } from 'node:crypto'
import { Lru } from '@sluice/domain'
import type { Shared } from '@sluice/engine'

/** Result of a request for points. */
export type Allowance = {
  readonly isGranted: boolean
  /** Whether the bucket was full before. If so, further charges of the same request are granted too. */
  readonly wasFull: boolean
  /** Points left; negative if more was charged than was left. */
  readonly left: number
  /** Seconds until the requested points are available. */
  readonly waitSec: number
  /** Seconds until the bucket is full. */
  readonly resetSec: number
}

/**
 * Points that callers may spend. They are taken before the work, so that concurrent requests cannot spend the same
 * points. Unused ones are returned.
 */
export type Buckets = {
  /**
   * Takes points if enough are left, or if the bucket is full: a request that costs more than a full bucket is granted
   * once it is full. The debt is at most one full bucket.
   *
   * @param isForced Takes them in any case, because the work was already admitted.
   */
  readonly take: (
    caller: string,
    points: number,
    options?: { isForced?: boolean },
  ) => Promise<Allowance>
  readonly give: (caller: string, points: number) => Promise<Allowance>
  /** Returns the refusal that `take` would give, from memory alone; `undefined` if that is not certain. */
  readonly refusalOf: (caller: string, points: number) => Allowance | undefined
}

export type BucketOptions = {
  /** Points per second. */
  readonly rate: number
  readonly burst: number
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/** Buckets of this process, which can also be set from the shared store. */
type OwnBuckets = Buckets & { readonly set: (caller: string, left: number) => void }

/** Maximum number of callers kept. The one seen longest ago is dropped first, most likely with a full bucket. */
const maxCallers = 50_000

export function createBuckets({ burst, now, rate }: BucketOptions): OwnBuckets {
  const buckets = Lru.create<string, { points: number; at: number }>(maxCallers)
  const leftTo = (caller: string) => {
    const found = buckets.get(caller)
    return found ? Math.min(burst, found.points + ((now() - found.at) / 1_000) * rate) : burst
  }
  const set = (caller: string, points: number) => {
    buckets.put(caller, { points, at: now() })
  }
  return {
    set,
    async take(caller, points, { isForced = false } = {}) {
      const before = leftTo(caller)
      const isGranted = isForced || before >= Math.min(points, burst)
      const left = isGranted ? Math.max(-burst, before - points) : before
      set(caller, left)
      const wasFull = before >= burst
      return allowanceOf({ isGranted, wasFull, left, points }, { rate, burst })
    },
    async give(caller, points) {
      const left = Math.min(burst, leftTo(caller) + points)
      set(caller, left)
      return allowanceOf({ isGranted: true, wasFull: false, left, points: 0 }, { rate, burst })
    },
    refusalOf(caller, points) {
      const left = leftTo(caller)
      if (left >= Math.min(points, burst)) return undefined
      return allowanceOf({ isGranted: false, wasFull: false, left, points }, { rate, burst })
    },
  }
}

/** Creates buckets shared by several processes. If the store cannot be asked, each process uses its own. */
export function createSharedBuckets(
  shared: Shared,
  own: OwnBuckets,
  bounds: Omit<BucketOptions, 'now'>,
): Buckets {
  const take = async (caller: string, points: number, isForced: boolean) => {
    // A digest, so that the store contains no addresses.
    const key = `r:${createHash('sha256').update(caller).digest('base64url')}`
    const reply = await shared.take(key, points, { ...bounds, isForced })
    if (reply === undefined) return own.take(caller, points, { isForced })
    own.set(caller, reply.left)
    return allowanceOf({ ...reply, points }, bounds)
  }
  return {
    take: (caller, points, { isForced = false } = {}) => take(caller, points, isForced),
    give: (caller, points) => take(caller, -points, true),
    // Other processes only take points, so a shortage in this process's memory is certain.
    refusalOf: own.refusalOf,
  }
}

function allowanceOf(
  { points, ...reply }: Pick<Allowance, 'isGranted' | 'left' | 'wasFull'> & { points: number },
  { burst, rate }: Omit<BucketOptions, 'now'>,
): Allowance {
  const missing = Math.max(0, Math.min(points, burst) - reply.left)
  return {
    ...reply,
    waitSec: Math.max(1, Math.ceil(missing / rate)),
    resetSec: Math.ceil((burst - reply.left) / rate),
  }
}
