import type { Socket } from 'node:net'

const everyMs = 10
/** New connections of one address that are read at a time: usually, and while its earlier ones ask for much at once. */
const [many, few] = [32, 1]
/** Longest time for which a connection waits, whatever earlier ones cost: others may share their address. */
const longestMs = 1_000
/** An address that had to wait begins one connection at a time for so long. */
const caresMs = 10_000

/** Lets each address begin a few new connections at a time. */
export type Turns = {
  /** Reads a new connection, which was not read before, at once or when it is its turn. */
  readonly take: (socket: Socket, address: string) => void
  /** Lets the next connections of an address wait so much longer, for what earlier ones cost. */
  readonly delay: (address: string, ms: number) => void
  readonly stop: () => void
}

/**
 * The system hands connections over one by one, one in a turn of the process, and all that a connection sent is parsed in
 * one go. If hundreds begin at once, whoever comes after them waits for all that they ask; this way only until they are
 * taken, since they are not read until it is their turn.
 */
export function createTurns(asksMuch: (address: string) => boolean): Turns {
  const begun = new Map<string, number>()
  const waiting = new Map<string, Socket[]>()
  /** When the next connection of an address may begin; in the order of the last delay. */
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
        // Whoever left in the meantime takes no turn.
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
