import { RpcError, RpcUnreachableError } from './errors.js'

/** Client for one node, JSON-RPC over HTTP. It keeps the URL private, so that no message can contain it. */
export type Rpc = {
  request<result = unknown>(method: string, params?: readonly unknown[]): Promise<result>
  /** Sends all calls in one HTTP request. Rejects with the first error among the responses. */
  batch<result = unknown>(calls: readonly Call[]): Promise<result[]>
}

/** A JSON-RPC call. */
export type Call = readonly [method: string, params: readonly unknown[]]

type Answer = {
  id: number
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/** @param options.timeoutMs Timeout of one HTTP request. @default 30_000 */
export function createRpc(url: string, options: { timeoutMs?: number } = {}): Rpc {
  const { timeoutMs = 30_000 } = options
  let lastId = 0

  async function post(method: string, body: unknown): Promise<unknown> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return await response.json()
    } catch {
      // The cause is dropped because it may contain the URL, and with it a key.
      throw new RpcUnreachableError(method)
    }
  }

  return {
    async request<result>(method: string, params: readonly unknown[] = []) {
      const answer = await post(method, { jsonrpc: '2.0', id: ++lastId, method, params })
      return resultOf(method, answer as Answer) as result
    },
    async batch<result>(calls: readonly Call[]) {
      if (calls.length === 0) return []
      const firstId = lastId + 1
      lastId += calls.length
      const body = calls.map(([method, params], index) => ({
        jsonrpc: '2.0',
        id: firstId + index,
        method,
        params,
      }))
      const answers = await post(calls[0]![0], body)
      if (!Array.isArray(answers)) throw new RpcUnreachableError(calls[0]![0])
      const byId = new Map((answers as Answer[]).map((answer) => [answer.id, answer]))
      return calls.map(([method], index) => resultOf(method, byId.get(firstId + index)) as result)
    },
  }
}

function resultOf(method: string, answer: Answer | undefined): unknown {
  if (typeof answer !== 'object' || answer === null) throw new RpcUnreachableError(method)
  if (answer.error) {
    const { code, message, data } = answer.error
    throw new RpcError({ method, code, message, data: revertData(data) })
  }
  if (answer.result === undefined) throw new RpcUnreachableError(method)
  return answer.result
}

/** Returns the revert data; some node implementations wrap it in an object. */
function revertData(data: unknown): string | undefined {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
  return typeof inner === 'string' ? inner : undefined
}
