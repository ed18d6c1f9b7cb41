import { createHash } from 'node:crypto'
import type { Shared } from '@sluice/engine'

/** What is left to a caller after a request. */
export type Allowance = {
  /** Points; below zero after a request that cost more than was left. */
  readonly left: number
  /** Seconds until the bucket is full again. */
  readonly resetSec: number
}

/** Points that callers may spend. */
export type Buckets = {
  /** Takes points, down into debt: what a request costs is known after it. */
  readonly take: (caller: string, points: number) => Promise<Allowance>
}

export type BucketOptions = {
  /** Points a second. */
  readonly rate: number
  readonly burst: number
  /** Milliseconds. */
  readonly now: () => number
}

/** Callers that are remembered; the one that was seen longest ago is forgotten first, with a full bucket most likely. */
const maxCallers = 50_000

export function createBuckets({ burst, now, rate }: BucketOptions): Buckets {
  const buckets = new Map<string, { points: number; at: number }>()
  return {
    async take(caller, points) {
      const at = now()
      const found = buckets.get(caller)
      const filled = found && Math.min(burst, found.points + ((at - found.at) / 1_000) * rate)
      const left = (filled ?? burst) - points
      buckets.delete(caller)
      buckets.set(caller, { points: left, at })
      if (buckets.size > maxCallers) buckets.delete(buckets.keys().next().value!)
      return { left, resetSec: Math.ceil((burst - left) / rate) }
    },
  }
}

/** Buckets that several processes share; each falls back on its own while the store cannot be asked. */
export function createSharedBuckets(
  shared: Shared,
  own: Buckets,
  { burst, rate }: Omit<BucketOptions, 'now'>,
): Buckets {
  return {
    async take(caller, points) {
      // A digest, so that the store holds no addresses of people.
      const key = `r:${createHash('sha256').update(caller).digest('base64url')}`
      const left = await shared.take(key, points, rate, burst)
      if (left === undefined) return own.take(caller, points)
      return { left, resetSec: Math.ceil((burst - left) / rate) }
    },
  }
}
