import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Client } from '@sluice/sdk'
import { createServer } from './createServer.js'

/** Room for a decode with a long route. */
const maxRequestBodySize = 256 * 1024

/**
 * MCP over HTTP as one web-standard `fetch`. A `Host` or `Origin` other than this machine's and `hostnames` is answered
 * 403, so that no web page can reach it by rebinding its own name.
 */
export function createFetch(options: {
  client: Client
  /** Names under which the service is reached from outside; asked at each request. */
  hostnames?: (() => readonly string[]) | undefined
}): (request: Request) => Promise<Response> {
  const { client, hostnames = () => [] } = options
  const handler = createMcpHandler(() => createServer(client), { maxRequestBodySize })
  return async (request) => {
    const others = hostnames()
    const refused =
      hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...others]) ??
      originValidationResponse(request, [...localhostAllowedOrigins(), ...others])
    return refused ?? (await handler.fetch(request))
  }
}
