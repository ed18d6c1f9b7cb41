import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Exchange } from './Connection.js'
import { chooseVictim } from './chooseVictim.js'
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
/** Longest time in a turn for requests that were sent ahead. */
const turnMs = 2
/** Longest time without such a turn while new connections come in. */
const takingMs = 10
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
  let takenAt = Number.NEGATIVE_INFINITY
  let turnEndedAt = Number.NEGATIVE_INFINITY
  const turns = createTurns((address) => {
    let ahead = 0
    for (const connection of byAddress.get(address) ?? []) ahead += connection.ahead.length
    return ahead > fewAhead
  })
  /** Connections whose next request waits for its turn. */
  const due: Connection[] = []
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

  function begin(connection: Connection, { incoming, outgoing }: Exchange): void {
    connection.current = incoming
    connection.since = performance.now()
    connection.answers++
    endIfOld(connection, outgoing)
    // Told once the answer is with the system: what nobody reads holds up its own connection alone.
    outgoing.once('finish', () => {
      connection.current = undefined
      if (connection.isProxy) connection.socket.setTimeout(proxyIdleMs)
      if (connection.ahead.length === 0) return
      due.push(connection)
      if (due.length === 1) setImmediate(beginDue)
    })
    handle(incoming, outgoing)
  }

  /** What was sent ahead is begun a little at a time, so that it keeps nobody waiting who asks for one thing. */
  function beginDue(): void {
    const at = performance.now()
    // The system hands new connections over one in a turn, so turns are kept short while there are any.
    const isTaking = at - takenAt < turnMs && at - turnEndedAt < takingMs
    if (isTaking) return void setImmediate(beginDue)
    const until = at + turnMs
    while (due.length > 0 && performance.now() < until) {
      const connection = due.shift()!
      const next = connection.ahead.shift()
      if (next === undefined) continue
      aheadOfAll--
      begin(connection, next)
    }
    turnEndedAt = performance.now()
    if (due.length > 0) setImmediate(beginDue)
  }

  function look(): void {
    const at = performance.now()
    let unread = 0
    for (const own of byAddress.values())
      for (const connection of own) {
        const cause = causeToCut(connection, at)
        if (cause === undefined) unread += connection.socket.writableLength
        else cut(connection, cause)
      }
    if (unread <= maxUnread) return
    for (const own of byAddress.values())
      for (const connection of own)
        if (at - (connection.unreadSince ?? at) >= lookMs) cut(connection, 'not_reading')
  }
  const timer = setInterval(look, lookMs).unref()

  return {
    add(socket) {
      takenAt = performance.now()
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
      let busy = 0
      for (const own of byAddress.values())
        for (const { current } of own) if (current !== undefined) busy++
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
