import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Client } from '@sluice/sdk'
import { createListAnswers } from './answerLists.js'
import { createServer } from './createServer.js'
import { maxBodyBytes, refuseHeavy } from './refuseHeavy.js'

/** Nothing changes between releases, so whoever listens for changes holds a connection for nothing. */
const maxSubscriptions = 16

/**
 * MCP over HTTP as one web-standard `fetch`. A `Host` or `Origin` other than this machine's and `hostnames` is answered
 * 403, so that no web page can reach it by rebinding its own name.
 */
export function createFetch(options: {
  client: Client
  /** Names under which the service is reached from outside; asked at each request. */
  hostnames?: (() => readonly string[]) | undefined
  /** Told how many messages a body holds before any is answered; its answer, if there is one, takes the place of theirs. */
  admit?: ((messages: number) => Promise<Response | undefined>) | undefined
}): (request: Request) => Promise<Response> {
  const { admit, client, hostnames = () => [] } = options
  const handler = createMcpHandler(() => createServer(client), {
    maxRequestBodySize: maxBodyBytes,
    maxSubscriptions,
  })
  const answerLists = createListAnswers((request) => handler.fetch(request))
  const answerEarly = async (request: Request) =>
    await refuseHeavy(
      request,
      async (messages, text) => (await admit?.(messages)) ?? (await answerLists(request, text)),
    )
  return async (request) => {
    const others = hostnames()
    const refused =
      hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...others]) ??
      originValidationResponse(request, [...localhostAllowedOrigins(), ...others])
    return refused ?? (await answerEarly(request)) ?? (await handler.fetch(request))
  }
}
