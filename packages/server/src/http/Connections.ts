import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Exchange } from './Connection.js'
import { chooseVictim } from './chooseVictim.js'
import { createAheadQueue } from './createAheadQueue.js'
import { createTurns } from './createTurns.js'

export type ConnectionLimits = {
  /** Connections at a time. */
  readonly max: number
  /** Connections of one address at a time; a trusted proxy speaks for many and has no limit of its own. */
  readonly maxPerAddress: number
}

/** Why the service ended a connection. */
export type CutCause = 'evicted' | 'refused' | 'half_closed' | 'not_reading' | 'pipelined'

export type Connections = {
  /** Counts a new connection, which was not read before, and lets it be read; or ends it. */
  readonly add: (socket: Socket) => void
  /** Handles a request as soon as the earlier ones of its connection are answered. */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  readonly counts: () => { readonly idle: number; readonly busy: number }
  readonly stop: () => void
}

const key = Symbol('connection')
/** On the socket itself: a WeakMap costs a fifth of a quick answer. */
type KnownSocket = Socket & {
  [key]?: Connection
  /** Node's own, and not documented: if it is missing, more is parsed than must be. */
  parser?: { onIncoming?: unknown } | null
}

const lookMs = 250
/** A client that reads nothing for the first time, or only a little for the second, is let go. */
const stallMs = 5_000
const slowReadMs = 60_000
/** How long the last bytes have to arrive before a socket that its client does not close is destroyed. */
const lingerMs = 1_000
/** A proxy decides itself when its idle connections end: if both do, requests are lost in between. */
const proxyIdleMs = 75_000
/** Waiting requests of one connection, and of all; beyond the latter, connections with more than a few are let go. */
const maxAhead = 64
const maxAheadOfAll = 1_000
const fewAhead = 8
/**
 * How long the next connection of an address waits for each request of an earlier one that was dropped: more than ten times
 * what it takes to parse and to forget one. Whoever is let go comes again at once, with as much to parse.
 */
const pauseMs = 2
/** Unread bytes of all connections, beyond which nobody who reads nothing is waited for. */
const maxUnread = 16 * 1024 * 1024
/** A connection ends after so many answers, so that callers who keep theirs spread over the processes there are. */
const manyAnswers = 1_000

/**
 * Who holds which connection, and what becomes of those that are neither read nor closed.
 *
 * If there is no room, a connection that does nothing gives way to the new one: one of the same address, or of the
 * address that has the most. So silent sockets keep nobody out, not even whoever shares their address.
 */
export function createConnections(options: createConnections.Options): Connections {
  const { addressOf, handle, limits, onCut } = options
  const byAddress = new Map<string, Set<Connection>>()
  const turns = createTurns((address) => aheadOf(byAddress.get(address) ?? []) > fewAhead)
  const queue = createAheadQueue((connection, exchange) => {
    aheadOfAll--
    begin(connection, exchange)
  })
  let total = 0
  let aheadOfAll = 0

  const cut = (connection: Connection, cause: CutCause) => {
    onCut(cause)
    const { ahead, socket } = connection
    socket.destroy()
    for (const { incoming } of ahead) drop(incoming)
    forget(connection)
  }

  function forget(connection: Connection): void {
    const own = byAddress.get(connection.address)
    if (!own?.delete(connection)) return
    total--
    aheadOfAll -= connection.ahead.length
    connection.ahead.length = 0
    if (own.size === 0) byAddress.delete(connection.address)
  }

  function hasRoom({ address, isProxy }: { address: string; isProxy: boolean }): boolean {
    const own = byAddress.get(address)
    const isOwnFull = !isProxy && (own?.size ?? 0) >= limits.maxPerAddress
    if (!isOwnFull && total < limits.max) return true
    const crowd = isOwnFull ? own : largestOf(byAddress.values())
    const victim = crowd && chooseVictim(crowd, performance.now())
    if (victim !== undefined) cut(victim, 'evicted')
    return victim !== undefined
  }

  function begin(connection: Connection, exchange: Exchange): void {
    beginAnswer(connection, exchange, () => {
      if (connection.ahead.length > 0) queue.push(connection)
    })
    handle(exchange.incoming, exchange.outgoing)
  }

  const timer = setInterval(() => cutStalled(byAddress.values(), cut), lookMs).unref()

  return {
    add(socket) {
      queue.noteTaken()
      const from = addressOf(socket)
      if (!hasRoom(from)) {
        onCut('refused')
        socket.destroy()
        return
      }
      const connection = connectionOf(socket, from)
      ;(socket as KnownSocket)[key] = connection
      const own = byAddress.get(from.address) ?? new Set()
      byAddress.set(from.address, own.add(connection))
      total++
      socket.once('close', () => forget(connection))
      if (from.isProxy) socket.resume()
      else turns.take(socket, from.address)
      socket.on('timeout', () => connection.unreadSince !== undefined && onCut('not_reading'))
    },
    serve(incoming, outgoing) {
      const { socket } = incoming
      const connection = (socket as KnownSocket)[key]
      // A body's parser may have one more.
      if (connection === undefined || socket.destroyed) return drop(incoming)
      const { ahead } = connection
      if (connection.current === undefined && ahead.length === 0)
        return begin(connection, { incoming, outgoing })
      connection.sentAhead = true
      ahead.push({ incoming, outgoing })
      aheadOfAll++
      const isTooMany = aheadOfAll > maxAheadOfAll && ahead.length > fewAhead
      if (!isTooMany && ahead.length <= maxAhead) return
      if (!connection.isProxy) turns.delay(connection.address, ahead.length * pauseMs)
      stopParsing(socket)
      cut(connection, 'pipelined')
    },
    counts() {
      const busy = busyOf(byAddress.values())
      return { busy, idle: total - busy }
    },
    stop() {
      clearInterval(timer)
      turns.stop()
    },
  }
}

export declare namespace createConnections {
  type Options = {
    limits: ConnectionLimits
    /** Who is at the other end, and whether that is a trusted proxy. */
    addressOf: (socket: Socket) => { address: string; isProxy: boolean }
    handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void
    onCut: (cause: CutCause) => void
  }
}

/** Ends a request that nobody answers before Node does: with an error, whose stack costs more than the request. */
function drop(incoming: IncomingMessage): void {
  incoming.destroy()
}

/** Ends the parsing of what a client sent in one piece, which would go on after the connection was ended. */
function stopParsing(socket: Socket): void {
  const { parser } = socket as KnownSocket
  // Anything but 0, 1 and 2 is an error to the parser.
  if (parser) parser.onIncoming = () => -1
}

/** @param onEnd Called once the answer is with the system: what nobody reads holds up its own connection alone. */
function beginAnswer(
  connection: Connection,
  { incoming, outgoing }: Exchange,
  onEnd: () => void,
): void {
  connection.current = incoming
  connection.since = performance.now()
  connection.answers++
  endIfOld(connection, outgoing)
  outgoing.once('finish', () => {
    connection.current = undefined
    if (connection.isProxy) connection.socket.setTimeout(proxyIdleMs)
    onEnd()
  })
}

function connectionOf(socket: Socket, from: { address: string; isProxy: boolean }): Connection {
  return {
    socket,
    ...from,
    answers: 0,
    current: undefined,
    since: 0,
    ahead: [],
    sentAhead: false,
    unreadSince: undefined,
    endedAt: undefined,
  }
}

/** Requests that were sent ahead. */
function aheadOf(connections: Iterable<Connection>): number {
  let count = 0
  for (const { ahead } of connections) count += ahead.length
  return count
}

/** Connections with a request in hand. */
function busyOf(crowds: Iterable<Set<Connection>>): number {
  let busy = 0
  for (const own of crowds) for (const { current } of own) if (current !== undefined) busy++
  return busy
}

/** Cuts connections whose clients do not read or close, and more of them if too much is unread. */
function cutStalled(
  crowds: Iterable<Set<Connection>>,
  cut: (connection: Connection, cause: CutCause) => void,
): void {
  const at = performance.now()
  const kept: Connection[] = []
  let unread = 0
  for (const connection of [...crowds].flatMap((own) => [...own])) {
    const cause = causeToCut(connection, at)
    if (cause !== undefined) cut(connection, cause)
    else {
      unread += connection.socket.writableLength
      kept.push(connection)
    }
  }
  if (unread <= maxUnread) return
  for (const connection of kept)
    if (at - (connection.unreadSince ?? at) >= lookMs) cut(connection, 'not_reading')
}

function largestOf(crowds: Iterable<Set<Connection>>): Set<Connection> | undefined {
  let largest: Set<Connection> | undefined
  for (const crowd of crowds) if (crowd.size > (largest?.size ?? 0)) largest = crowd
  return largest
}

/**
 * A caller who sends requests before the answers to earlier ones keeps the connection for another thousand: what was sent
 * ahead would be lost with it. Node's own limit leaves the connection open and answers what follows with an empty 503.
 */
function endIfOld(connection: Connection, outgoing: ServerResponse): void {
  if (connection.answers < manyAnswers) return
  if (connection.sentAhead) Object.assign(connection, { answers: 1, sentAhead: false })
  else outgoing.setHeader('connection', 'close')
}

/** Notes whether the client reads, and finds out whether the connection must end. */
function causeToCut(connection: Connection, at: number): CutCause | undefined {
  const { socket } = connection
  if (socket.writableFinished) {
    connection.endedAt ??= at
    return at - connection.endedAt >= lingerMs ? 'half_closed' : undefined
  }
  const isUnread = socket.writableLength > 0
  if (isUnread && connection.unreadSince === undefined) {
    connection.unreadSince = at
    // Node ends it then, unless the client reads in the meantime, be it parts of one write.
    socket.setTimeout(stallMs)
  } else if (!isUnread && connection.unreadSince !== undefined) {
    connection.unreadSince = undefined
    if (connection.current !== undefined) socket.setTimeout(0)
  }
  return at - (connection.unreadSince ?? at) >= slowReadMs ? 'not_reading' : undefined
}
