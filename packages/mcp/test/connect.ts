import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createClient } from '@sluice/sdk'
import { createFetch } from '../src/index.js'

/** A real MCP client, connected in memory to a service with scripted responses by path, and the paths that it requested. */
export async function connect(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const service = createClient({
    baseUrl: 'http://sluice.test',
    retry: false,
    fetch: async (input) => {
      const { pathname, search } = new URL(String(input))
      asked.push(`${pathname}${search}`)
      const body = answers[pathname]
      const failed = { ok: false, code: 'not_found', error: 'There is nothing at this path.' }
      return Response.json(body ?? failed, { status: body === undefined ? 404 : 200 })
    },
  })
  const mcp = createFetch({ client: service })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('host', 'localhost')
      return mcp(new Request(url, { ...init, headers }))
    },
  })
  await client.connect(transport)
  return { client, asked }
}
