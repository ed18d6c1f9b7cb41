import type { Socket } from 'node:net'

const everyMs = 10
/** New connections of one address that are read at a time: usually, and while its earlier ones ask for much at once. */
const [many, few] = [32, 1]

/**
 * Lets each address begin a few new connections at a time.
 *
 * The system hands connections over one by one, one in a turn of the process, and all that a connection sent is parsed in
 * one go. If hundreds begin at once, whoever comes after them waits for all that they ask; this way only until they are
 * taken, since they are not read until it is their turn.
 */
export function createTurns(
  asksMuch: (address: string) => boolean,
): (socket: Socket, address: string) => void {
  const begun = new Map<string, number>()
  const waiting = new Map<string, Socket[]>()
  let isDue = false
  const mostOf = (address: string) => (asksMuch(address) ? few : many)

  function schedule(): void {
    if (isDue) return
    isDue = true
    setTimeout(begin, everyMs)
  }

  function begin(): void {
    isDue = false
    begun.clear()
    for (const [address, sockets] of waiting) {
      const due = sockets.splice(0, mostOf(address))
      begun.set(address, due.length)
      for (const socket of due) socket.resume()
      if (sockets.length === 0) waiting.delete(address)
    }
    if (waiting.size > 0) schedule()
  }

  return (socket, address) => {
    schedule()
    const count = begun.get(address) ?? 0
    const own = waiting.get(address)
    if (own === undefined && count < mostOf(address)) {
      begun.set(address, count + 1)
      return
    }
    socket.pause()
    if (own === undefined) waiting.set(address, [socket])
    else own.push(socket)
  }
}
