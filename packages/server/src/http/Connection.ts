import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** One client's connection, and what is known of it. */
export type Connection = {
  readonly socket: Socket
  readonly address: string
  readonly isProxy: boolean
  /** Answers since the start, or since it last was allowed to go on. */
  answers: number
  /** The request that is being answered, and since when. */
  current: IncomingMessage | undefined
  since: number
  /** Requests that arrived before earlier ones were answered, in order. */
  readonly ahead: Exchange[]
  sentAhead: boolean
  /** Set while bytes wait for the client to read them. */
  unreadSince: number | undefined
  /** When we ended our side. */
  endedAt: number | undefined
}

/** A request, and where its answer goes. */
export type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
