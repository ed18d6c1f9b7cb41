import type { Socket } from 'node:net'

/** Length of a round, in milliseconds. */
const everyMs = 10
/**
 * Maximum number of new connections per address and round: usually, and if its earlier ones have pipelined a lot or it
 * was delayed.
 */
const [many, few] = [32, 1]
/** Maximum delay of a connection in milliseconds, whatever earlier ones cost: others may share their address. */
const longestMs = 1_000
/** How long an address starts one connection per round after it was delayed, in milliseconds. */
const caresMs = 10_000

/** Starts new connections of each address a few at a time. */
export type Turns = {
  /** Starts reading a new connection, at once or when it is its turn. It must not have been read before. */
  readonly take: (socket: Socket, address: string) => void
  /** Delays the next connections of an address, because of what earlier ones cost. */
  readonly delay: (address: string, ms: number) => void
  readonly stop: () => void
}

/**
 * The operating system delivers one connection per event loop turn, and everything that a connection has sent is parsed
 * at once. If hundreds of connections start together, later clients wait for all of their requests. Here they only wait
 * until these connections are accepted, since each is read when it is its turn.
 */
export function createTurns(asksMuch: (address: string) => boolean): Turns {
  const begun = new Map<string, number>()
  const waiting = new Map<string, Socket[]>()
  /** Earliest start of an address's next connection (monotonic milliseconds), in the order of the last delay. */
  const notBefore = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function maxOf(address: string): number {
    const until = notBefore.get(address)
    if (until === undefined) return asksMuch(address) ? few : many
    return performance.now() < until ? 0 : few
  }

  function schedule(): void {
    timer ??= setTimeout(begin, everyMs)
  }

  function begin(): void {
    timer = undefined
    begun.clear()
    forgive()
    for (const [address, sockets] of waiting) {
      const most = maxOf(address)
      let left = most
      while (left > 0 && sockets.length > 0) {
        const socket = sockets.shift()!
        // Skip connections that were closed in the meantime.
        if (socket.destroyed) continue
        socket.resume()
        left--
      }
      begun.set(address, most - left)
      if (sockets.length === 0) waiting.delete(address)
    }
    if (begun.size > 0) schedule()
  }

  function forgive(): void {
    const at = performance.now()
    for (const [address, until] of notBefore) {
      if (at - until < caresMs) return
      notBefore.delete(address)
    }
  }

  return {
    take(socket, address) {
      schedule()
      const count = begun.get(address) ?? 0
      const own = waiting.get(address)
      if (own === undefined && count < maxOf(address)) {
        begun.set(address, count + 1)
        socket.resume()
        return
      }
      if (own === undefined) waiting.set(address, [socket])
      else own.push(socket)
    },
    delay(address, ms) {
      const at = performance.now()
      const until = Math.max(notBefore.get(address) ?? 0, at) + ms
      notBefore.delete(address)
      notBefore.set(address, Math.min(until, at + longestMs))
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
