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
