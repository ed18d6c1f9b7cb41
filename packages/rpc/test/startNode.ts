import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = { id: number; method: string; params: unknown[] }

/** An HTTP node with scripted replies. */
export type TestNode = {
  readonly url: string
  /** Request bodies in order. */
  readonly bodies: (Asked | Asked[])[]
  readonly close: () => Promise<void>
}

/** Returns the result or error of one call. A batch calls it for each request. */
export type Say = (asked: Asked) => { result: unknown } | { error: unknown }

/** Starts a node. @param serve Handles a request in place of `say` if it returns true. */
export async function startNode(
  say: Say,
  serve?: (request: IncomingMessage, response: ServerResponse, count: number) => boolean,
): Promise<TestNode> {
  const bodies: TestNode['bodies'] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const content = JSON.parse(text) as Asked | Asked[]
    bodies.push(content)
    if (serve?.(request, response, bodies.length)) return
    const reply = (asked: Asked) => ({ jsonrpc: '2.0', id: asked.id, ...say(asked) })
    response.end(JSON.stringify(Array.isArray(content) ? content.map(reply) : reply(content)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
