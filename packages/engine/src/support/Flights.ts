import { setMaxListeners } from 'node:events'

/** Work in progress that several callers wait for. */
type Flight<result> = {
  readonly promise: Promise<result>
  readonly controller: AbortController
  readonly owner: string
  waiters: number
}

/** Lets identical concurrent callers share one piece of work. */
export type Flights<result> = {
  /**
   * Waits for the flight of `key`, starting it if there is none.
   *
   * A caller that gives up leaves the flight to the others; the work itself is given up with its last caller.
   */
  join: (key: string, options: JoinOptions<result>) => Promise<Joined<result>>
  has: (key: string) => boolean
  /** Flights under way. */
  count: () => number
  /** Whether one more flight of this owner fits into so many. */
  hasRoom: (owner: string, max: number) => boolean
}

export type JoinOptions<result> = {
  start: (signal: AbortSignal) => Promise<result>
  signal?: AbortSignal | undefined
  /** Whose flight it is, if it begins now. */
  owner?: string | undefined
}

export type Joined<result> = {
  readonly result: result
  /** The flight was already there. */
  readonly isShared: boolean
}

/** An owner may have so many times what it leaves free: three quarters of all if it is alone, and less beside others. */
const shareOfFree = 3

export function createFlights<result>(): Flights<result> {
  const flights = new Map<string, Flight<result>>()

  function open(key: string, { owner = '', start }: JoinOptions<result>): Flight<result> {
    const controller = new AbortController()
    // As many requests to nodes may hang on one flight as it takes.
    setMaxListeners(0, controller.signal)
    const promise = start(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key)
    })
    // Whoever still waits gets the rejection; with nobody waiting it is nobody's.
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
