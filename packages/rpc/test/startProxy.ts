import type { IncomingMessage } from 'node:http'
import { startTextServer, type TextServer } from './startTextServer.js'

/**
 * Starts a server between a client and a node.
 * @param pass Returns the response to a request; undefined to close the client's connection. `forward` sends the request to
 *   the node and returns its response, or undefined if there is none, for example because the test has ended.
 */
export function startProxy(
  nodeUrl: string,
  pass: (
    body: string,
    forward: () => Promise<string | undefined>,
    request: IncomingMessage,
  ) => Promise<string | undefined>,
): Promise<TextServer> {
  return startTextServer(async (body, request, response) => {
    const headers = { 'content-type': 'application/json' }
    const forward = () =>
      fetch(nodeUrl, { method: 'POST', headers, body })
        .then((answer) => answer.text())
        .catch(() => undefined)
    const reply = await pass(body, forward, request)
    if (reply === undefined) response.destroy()
    return reply
  })
}
