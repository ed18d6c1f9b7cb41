import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { RpcCall } from '@sluice/rpc'
import type { FakeLogChain } from './fakeLogChain.js'

export type LogNode = { readonly url: string; readonly close: () => Promise<void> }

type Request = RpcCall & { id: number }

/** Serves a chain in memory over HTTP. */
export async function startLogNode(chain: FakeLogChain): Promise<LogNode> {
  const answer = ({ id, ...call }: Request) => {
    const outcome = chain.answer(call)
    if (outcome.ok) return { jsonrpc: '2.0', id, result: outcome.result }
    // Missing blocks are null, as in JSON-RPC.
    if (outcome.failure === 'bad_response') return { jsonrpc: '2.0', id, result: null }
    return { jsonrpc: '2.0', id, error: { code: -32_000, message: outcome.failure } }
  }
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await text(incoming)) as Request | Request[]
    const replies = Array.isArray(body) ? body.map(answer) : answer(body)
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify(replies))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
