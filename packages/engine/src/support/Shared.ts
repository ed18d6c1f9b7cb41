import { Redis } from 'ioredis'

/**
 * What several processes share. Nothing may depend on it: every answer comes within 20 ms, and a store that is slow, full
 * or gone is the same as an empty one.
 */
export type Shared = {
  /** In the order of the keys; `undefined` for what is not there, or not to be had. */
  readonly get: (keys: readonly string[]) => Promise<readonly (string | undefined)[]>
  /** Does not wait, and does not tell. */
  readonly put: (key: string, value: string, forMs: number) => void
  /** Whether the caller is the first to claim the key; true if that cannot be found out. */
  readonly claim: (key: string, forMs: number) => Promise<boolean>
  /**
   * Takes points from a bucket that fills at `rate` a second up to `burst`, if they are left, or if it is full and holds
   * no more. Forced, takes them in any case. Nobody owes more than a full bucket, and none holds more.
   *
   * @returns Whether they were taken, whether the bucket was full before, and what is left; `undefined` if the store cannot be asked.
   */
  readonly take: (
    key: string,
    points: number,
    bucket: { rate: number; burst: number; isForced: boolean },
  ) => Promise<{ isGranted: boolean; wasFull: boolean; left: number } | undefined>
  readonly stop: () => void
}

const defaultPatienceMs = 20
/** A store that failed is left alone for so long, or every request would wait for it. */
const pauseMs = 1_000
const maxRetryMs = 2_000

/** By the store's clock, so that the processes' clocks do not matter; milliseconds. */
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

/**
 * Connects to Valkey or Redis, and again whenever the connection is lost.
 */
export function createShared(options: createShared.Options): Shared {
  const { patienceMs = defaultPatienceMs } = options
  const redis = new Redis(options.url, {
    connectTimeout: pauseMs,
    // What cannot be sent at once is of no use later.
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
    /** Secret, since it may hold a password. */
    url: string
    /** Longest wait for an answer, in milliseconds. @default 20 */
    patienceMs?: number | undefined
    /** Told of a failure, at most once a second, without the words of the store. */
    onFault?: (() => void) | undefined
  }
}
