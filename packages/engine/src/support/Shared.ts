import { Redis } from 'ioredis'

/**
 * A store shared by several processes. Nothing may depend on it: every call returns within 20 ms, and a slow, full or
 * unreachable store behaves like an empty one.
 */
export type Shared = {
  /** Values in the order of the keys; `undefined` if missing or unreadable. */
  readonly get: (keys: readonly string[]) => Promise<readonly (string | undefined)[]>
  /** Returns at once and never fails. */
  readonly put: (key: string, value: string, forMs: number) => void
  /** Whether the caller is the first to claim the key; true if the store cannot be asked. */
  readonly claim: (key: string, forMs: number) => Promise<boolean>
  /**
   * Takes points from a bucket that refills at `rate` per second up to `burst`. Grants them if enough are left, or if
   * the bucket is full. `isForced` takes them in any case. The balance stays between `-burst` and `burst`.
   *
   * @returns Whether the points were granted, whether the bucket was full before, and the balance; `undefined` if the
   * store cannot be asked.
   */
  readonly take: (
    key: string,
    points: number,
    bucket: { rate: number; burst: number; isForced: boolean },
  ) => Promise<{ isGranted: boolean; wasFull: boolean; left: number } | undefined>
  readonly stop: () => void
}

const defaultPatienceMs = 20
/** Pause after a failure, in milliseconds, so that requests do not all wait for a broken store. */
const pauseMs = 1_000
const maxRetryMs = 2_000

/**
 * Lua script. Uses the store's clock in milliseconds, so that differences between the processes' clocks do not matter.
 */
const takePoints = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'left', 'at')
local points, rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local left = tonumber(bucket[1]) or burst
left = math.min(burst, left + (now - (tonumber(bucket[2]) or now)) / 1000 * rate)
local full = left >= burst
local granted = ARGV[4] == '1' or left >= math.min(points, burst)
if granted then left = math.min(burst, math.max(-burst, left - points)) end
redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(2 * burst / rate * 1000) + 1000)
return {granted and 1 or 0, full and 1 or 0, tostring(left)}`

/** Connects to Valkey or Redis, and reconnects if the connection is lost. */
export function createShared(options: createShared.Options): Shared {
  const { patienceMs = defaultPatienceMs } = options
  const redis = new Redis(options.url, {
    connectTimeout: pauseMs,
    // Commands are only useful at once, so they are not queued.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * attempt, maxRetryMs),
  })
  redis.on('error', () => {})
  let pausedUntil = 0

  async function attempt<value>(command: () => Promise<value>): Promise<value | undefined> {
    if (redis.status !== 'ready' || performance.now() < pausedUntil) return undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, patienceMs, new Error('late'))
    })
    try {
      return await Promise.race([command(), late])
    } catch {
      pausedUntil = performance.now() + pauseMs
      options.onFault?.()
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async get(keys) {
      const values = await attempt(() => redis.mget([...keys]))
      return keys.map((_, index) => values?.[index] ?? undefined)
    },
    put(key, value, forMs) {
      attempt(() => redis.set(key, value, 'PX', Math.ceil(forMs)))
    },
    async claim(key, forMs) {
      const reply = await attempt(async () => [await redis.set(key, '1', 'PX', forMs, 'NX')])
      return reply === undefined || reply[0] === 'OK'
    },
    async take(key, points, { burst, isForced, rate }) {
      const force = isForced ? '1' : '0'
      const reply = await attempt(() => redis.eval(takePoints, 1, key, points, rate, burst, force))
      if (!Array.isArray(reply)) return undefined
      return { isGranted: reply[0] === 1, wasFull: reply[1] === 1, left: Number(reply[2]) }
    },
    stop: () => redis.disconnect(),
  }
}

export declare namespace createShared {
  type Options = {
    /** Secret, since it may contain a password. */
    url: string
    /** Maximum wait for the store, in milliseconds. @default 20 */
    patienceMs?: number | undefined
    /** Called on a failure, at most once a second, without the store's message. */
    onFault?: (() => void) | undefined
  }
}
