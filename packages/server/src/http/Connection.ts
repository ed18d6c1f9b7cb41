import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A client's connection and its state. */
export type Connection = {
  readonly socket: Socket
  /** Address of the client, or of the trusted proxy. */
  readonly address: string
  /** Whether the client is a trusted proxy. */
  readonly isProxy: boolean
  /** Responses so far; starts again if the connection may live longer than its limit of responses. */
  answers: number
  /** The request being answered. */
  current: IncomingMessage | undefined
  /** Start of that request, in monotonic milliseconds. */
  since: number
  /** Pipelined requests, in order: they arrived before the response to an earlier one. */
  readonly ahead: Exchange[]
  /** Whether the client has pipelined requests. */
  sentAhead: boolean
  /** Time since which the client has not read all bytes, in monotonic milliseconds. */
  unreadSince: number | undefined
  /** Time at which this side closed the connection, in monotonic milliseconds. */
  endedAt: number | undefined
}

/** A request and its response. */
export type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
