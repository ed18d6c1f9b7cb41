import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Exchange } from './Connection.js'
import { chooseVictim } from './chooseVictim.js'
import { createAheadQueue } from './createAheadQueue.js'
import { createTurns } from './createTurns.js'

export type ConnectionLimits = {
  /** Maximum number of concurrent connections. */
  readonly max: number
  /**
   * Maximum number of concurrent connections of one address. Trusted proxies are exempt, since they represent many
   * callers.
   */
  readonly maxPerAddress: number
}

/** Why the service closed a connection. */
export type CutCause = 'evicted' | 'refused' | 'half_closed' | 'not_reading' | 'pipelined'

export type Connections = {
  /** Counts a new connection and starts reading it, or closes it. It must not have been read before. */
  readonly add: (socket: Socket) => void
  /** Handles a request after the earlier ones of its connection have been answered. */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  readonly counts: () => { readonly idle: number; readonly busy: number }
  readonly stop: () => void
}

const key = Symbol('connection')
/** Stored on the socket itself: a WeakMap takes a fifth of the time of a quick response. */
type KnownSocket = Socket & {
  [key]?: Connection
  /** Node's internal parser. Not documented: without it, more input is parsed than necessary. */
  parser?: { onIncoming?: unknown } | null
}

/** Interval of the search for stalled connections, in milliseconds. */
const lookMs = 250
/** A client that reads nothing for this time, in milliseconds, is disconnected. */
const stallMs = 5_000
/** The same for a client that reads slowly. */
const slowReadMs = 60_000
/** How long the last bytes may take to arrive before an ended socket is destroyed, in milliseconds. */
const lingerMs = 1_000
/**
 * Idle time of a proxy's connections, in milliseconds. Long enough that the proxy closes them first: if both sides
 * could, requests would be lost.
 */
const proxyIdleMs = 75_000
/** Maximum number of pipelined requests of one connection. */
const maxAhead = 64
/** Pipelined requests of all connections, beyond which those with more than `fewAhead` are closed. */
const maxAheadOfAll = 1_000
const fewAhead = 8
/**
 * Delay of an address's next connection for each dropped pipelined request, in milliseconds: more than ten times the
 * cost of parsing one. A disconnected client reconnects at once and sends as much again.
 */
const pauseMs = 2
/** Unread bytes of all connections, beyond which clients that read nothing are disconnected. */
const maxUnread = 16 * 1024 * 1024
/** Responses after which a connection is closed, so that long-lived clients spread over the processes. */
const manyAnswers = 1_000

/**
 * Tracks connections and closes those that are neither read nor closed by their clients.
 *
 * If there is no room, an idle connection is closed for the new one: one of the same address, or of the address with
 * the most connections. So silent sockets keep nobody out, not even other clients of their address.
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
      // The parser may deliver one more request after the connection was closed.
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
    /** Returns the client's address, and whether it is a trusted proxy. */
    addressOf: (socket: Socket) => { address: string; isProxy: boolean }
    handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void
    onCut: (cause: CutCause) => void
  }
}

/**
 * Destroys a request that will not be answered. Otherwise Node would, with an error whose stack costs more than the
 * request.
 */
function drop(incoming: IncomingMessage): void {
  incoming.destroy()
}

/** Stops parsing input that arrived in one piece. Otherwise parsing would continue after the connection was closed. */
function stopParsing(socket: Socket): void {
  const { parser } = socket as KnownSocket
  // The parser treats any result other than 0, 1 and 2 as an error.
  if (parser) parser.onIncoming = () => -1
}

/**
 * @param onEnd Called when the response was handed to the operating system. An unread response delays only its own
 * connection.
 */
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

/** Counts pipelined requests. */
function aheadOf(connections: Iterable<Connection>): number {
  let count = 0
  for (const { ahead } of connections) count += ahead.length
  return count
}

/** Counts connections with a request that is being handled. */
function busyOf(crowds: Iterable<Set<Connection>>): number {
  let busy = 0
  for (const own of crowds) for (const { current } of own) if (current !== undefined) busy++
  return busy
}

/** Closes connections whose clients do not read or close. Closes more of them if too much is unread. */
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
 * Closes an old connection with its next response. If the client has pipelined requests, the count restarts instead,
 * because those would be lost. Node's own limit leaves the connection open and answers later requests with an empty
 * 503.
 */
function endIfOld(connection: Connection, outgoing: ServerResponse): void {
  if (connection.answers < manyAnswers) return
  if (connection.sentAhead) Object.assign(connection, { answers: 1, sentAhead: false })
  else outgoing.setHeader('connection', 'close')
}

/** Records whether the client reads, and returns why the connection must be closed, if it must. */
function causeToCut(connection: Connection, at: number): CutCause | undefined {
  const { socket } = connection
  if (socket.writableFinished) {
    connection.endedAt ??= at
    return at - connection.endedAt >= lingerMs ? 'half_closed' : undefined
  }
  const isUnread = socket.writableLength > 0
  if (isUnread && connection.unreadSince === undefined) {
    connection.unreadSince = at
    // Node closes the socket after this time, unless the client reads at least a part of a write.
    socket.setTimeout(stallMs)
  } else if (!isUnread && connection.unreadSince !== undefined) {
    connection.unreadSince = undefined
    if (connection.current !== undefined) socket.setTimeout(0)
  }
  return at - (connection.unreadSince ?? at) >= slowReadMs ? 'not_reading' : undefined
}
