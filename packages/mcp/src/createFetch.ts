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

/** Nothing changes between releases, so a subscription only holds a connection open. */
const maxSubscriptions = 16

/**
 * Serves MCP over HTTP as one web-standard `fetch`. Responds 403 to a `Host` or `Origin` that is neither localhost nor in
 * `hostnames`, so that no web page can reach it by DNS rebinding.
 */
export function createFetch(options: {
  client: Client
  /** Returns the public host names of the service. Called at each request. */
  hostnames?: (() => readonly string[]) | undefined
  /** Called with the number of messages in a body before any is handled. A response that it returns replaces theirs. */
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
