import type { IncomingMessage, ServerResponse } from 'node:http'
import { startTextServer } from './startTextServer.js'

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
  const { close, url } = await startTextServer(async (body, request, response) => {
    const content = JSON.parse(body) as Asked | Asked[]
    bodies.push(content)
    if (serve?.(request, response, bodies.length)) return
    const reply = (asked: Asked) => ({ jsonrpc: '2.0', id: asked.id, ...say(asked) })
    return JSON.stringify(Array.isArray(content) ? content.map(reply) : reply(content))
  })
  return { url, bodies, close }
}
