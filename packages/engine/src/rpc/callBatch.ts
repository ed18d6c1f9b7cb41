import { classify } from './classify.js'
import type { Failure } from './failures.js'
import { post } from './post.js'
import type { Upstream } from './Upstream.js'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

export type RpcOutcome = { ok: true; result: unknown } | { ok: false; failure: Failure }

let lastId = 0

/**
 * Sends calls as one JSON-RPC batch, one round trip, and matches the replies by id.
 *
 * @returns One outcome for each call, in their order; a failure of the whole is every call's.
 */
export async function callBatch(
  upstream: Upstream,
  calls: readonly RpcCall[],
  options: post.Options,
): Promise<readonly RpcOutcome[]> {
  const requests = calls.map((call) => ({ jsonrpc: '2.0', id: ++lastId, ...call }))
  const posted = await post(upstream, JSON.stringify(requests), options)
  if (!posted.ok) return requests.map(() => posted)
  const replies = parseReplies(posted.text)
  if (!Array.isArray(replies)) return requests.map(() => replies)
  const byId = new Map<unknown, Reply>()
  for (const reply of replies) {
    if (byId.has(reply.id)) return requests.map(() => badResponse)
    byId.set(reply.id, reply)
  }
  return requests.map(({ id }) => outcomeOf(byId.get(id)))
}

type Reply = { id?: unknown; result?: unknown; error?: unknown }

const badResponse = { ok: false, failure: 'bad_response' } as const

/** The replies, or what a single object in their place means for all of them. */
function parseReplies(text: string): Reply[] | (RpcOutcome & { ok: false }) {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return badResponse
  }
  if (Array.isArray(answer)) return answer.every(isObject) ? answer : badResponse
  if (isObject(answer) && isObject(answer['error']))
    return { ok: false, failure: classify(answer['error']) }
  return badResponse
}

function outcomeOf(reply: Reply | undefined): RpcOutcome {
  if (reply === undefined) return badResponse
  if (isObject(reply.error)) return { ok: false, failure: classify(reply.error) }
  if (reply.result === undefined || reply.result === null) return badResponse
  return { ok: true, result: reply.result }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
