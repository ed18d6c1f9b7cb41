import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = { id: number; method: string; params: unknown[] }

/** A node that says what it is told to say, over HTTP. */
export type TestNode = {
  readonly url: string
  /** What it was sent, in order. */
  readonly bodies: (Asked | Asked[])[]
  readonly close: () => Promise<void>
}

/** What a node says to one call: a member of the reply, or of each reply of a batch. */
export type Say = (asked: Asked) => { result: unknown } | { error: unknown }

/** @param serve Answers in place of `say`. */
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
