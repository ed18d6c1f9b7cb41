import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { host } from './ChainNode.js'
import { listenError } from './claimPort.js'

/** A response to one HTTP request. */
export type NodeAnswer = { readonly status: number; readonly body: string }

/** Serves a node's JSON-RPC over HTTP on the loopback interface, with the headers that browsers need. */
export async function serveNode(
  port: number,
  answer: (body: string) => Promise<NodeAnswer>,
): Promise<{ readonly rpcUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    respond(request, response, answer).catch(() => response.destroy())
  })
  // Clients share this process: while they compute, their idle connections would time out.
  server.keepAliveTimeout = 0
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, port)
  }
  return {
    rpcUrl: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (body: string) => Promise<NodeAnswer>,
) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { body, status } = await answer(Buffer.concat(chunks).toString('utf8'))
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', 'content-type')
  response.end(body)
}
