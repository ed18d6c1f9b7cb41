import type { RpcCall } from '@sluice/rpc'
import { startTextServer, type TextServer } from '../../rpc/test/startTextServer.js'
import type { FakeLogChain } from './fakeLogChain.js'

type Request = RpcCall & { id: number }

/** Serves a chain in memory over HTTP. */
export function startLogNode(chain: FakeLogChain): Promise<TextServer> {
  const answer = ({ id, ...call }: Request) => {
    const outcome = chain.answer(call)
    if (outcome.ok) return { jsonrpc: '2.0', id, result: outcome.result }
    // Missing blocks are null, as in JSON-RPC.
    if (outcome.failure === 'bad_response') return { jsonrpc: '2.0', id, result: null }
    return { jsonrpc: '2.0', id, error: { code: -32_000, message: outcome.failure } }
  }
  return startTextServer(async (body) => {
    const asked = JSON.parse(body) as Request | Request[]
    return JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked))
  })
}
