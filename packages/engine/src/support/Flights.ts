import { setMaxListeners } from 'node:events'

/** Running work that several callers wait for. */
type Flight<result> = {
  readonly promise: Promise<result>
  readonly controller: AbortController
  readonly owner: string
  waiters: number
}

/** Lets identical concurrent callers share the same work. */
export type Flights<result> = {
  /**
   * Waits for the flight of `key`, and starts it if there is none.
   *
   * A caller that aborts leaves the flight to the others. If the last one aborts, the work is canceled.
   */
  join: (key: string, options: JoinOptions<result>) => Promise<Joined<result>>
  has: (key: string) => boolean
  /** Number of running flights. */
  count: () => number
  /** Whether this owner may start another flight, given the maximum number of flights. */
  hasRoom: (owner: string, max: number) => boolean
}

export type JoinOptions<result> = {
  start: (signal: AbortSignal) => Promise<result>
  signal?: AbortSignal | undefined
  /** Owner of the flight, if this call starts it. */
  owner?: string | undefined
}

export type Joined<result> = {
  readonly result: result
  /** Whether the flight was already running. */
  readonly isShared: boolean
}

/**
 * Ratio of an owner's flights to the free ones: a single owner gets at most three quarters of all, and less if there
 * are others.
 */
const shareOfFree = 3

export function createFlights<result>(): Flights<result> {
  const flights = new Map<string, Flight<result>>()

  function open(key: string, { owner = '', start }: JoinOptions<result>): Flight<result> {
    const controller = new AbortController()
    // Many node requests may listen to this signal.
    setMaxListeners(0, controller.signal)
    const promise = start(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key)
    })
    // Callers that still wait get the rejection. If nobody waits, it must not count as unhandled.
    promise.catch(() => {})
    const flight: Flight<result> = { promise, controller, owner, waiters: 0 }
    flights.set(key, flight)
    return flight
  }

  async function join(key: string, options: JoinOptions<result>): Promise<Joined<result>> {
    const { signal } = options
    signal?.throwIfAborted()
    const found = flights.get(key)
    const flight = found ?? open(key, options)
    flight.waiters++
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        flight.waiters--
        if (flight.waiters === 0) {
          if (flights.get(key) === flight) flights.delete(key)
          flight.controller.abort()
        }
        reject(signal?.reason)
      }
    })
    signal?.addEventListener('abort', leave, { once: true })
    try {
      const result = await Promise.race([flight.promise, left])
      return { result, isShared: found !== undefined }
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  function hasRoom(owner: string, max: number): boolean {
    const free = max - flights.size
    let own = 0
    for (const flight of flights.values()) if (flight.owner === owner) own++
    return free > 0 && (owner === '' || own < shareOfFree * free)
  }

  return { join, hasRoom, has: (key) => flights.has(key), count: () => flights.size }
}
