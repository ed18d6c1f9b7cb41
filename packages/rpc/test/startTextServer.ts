import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type TextServer = {
  readonly url: string
  /** Number of requests that have no whole response yet. */
  readonly open: number
  readonly close: () => Promise<void>
}

/**
 * Starts an HTTP server on a free port.
 * @param answer Returns the body of the response; undefined if it has taken care of the response itself. It is not called
 *   for requests whose client left before the whole body arrived.
 */
export async function startTextServer(
  answer: (
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<string | undefined>,
): Promise<TextServer> {
  let open = 0
  const server = createServer(async (request, response) => {
    open++
    response.on('close', () => open--)
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const reply = await answer(body, request, response)
    if (reply === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(reply)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get open() {
      return open
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
