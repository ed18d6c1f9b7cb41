import { classify, gasCapIn, type RpcError } from './classify.js'
import type { Failure } from './failures.js'
import { post } from './post.js'
import type { Upstream } from './Upstream.js'

/** One JSON-RPC request, without its id. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** Outcome of one call. A result of `null` is a failure. */
export type RpcOutcome =
  | { ok: true; result: unknown }
  /** `data` is the revert data from the node, not validated; `gasCap` the maximum gas of a call, if the error names it. */
  | { ok: false; failure: Failure; data?: unknown; gasCap?: bigint | undefined }

let lastId = 0

/**
 * Sends calls as one JSON-RPC batch, in one round trip, and matches the replies by id. If a node rejects batches, sends it
 * the calls one by one from then on. Never rejects.
 *
 * @returns One outcome per call, in the same order. If the whole batch fails, every call has that failure.
 */
export async function callBatch(
  upstream: Upstream,
  calls: readonly RpcCall[],
  options: callBatch.Options,
): Promise<readonly RpcOutcome[]> {
  const startedAt = performance.now()
  const requests = calls.map((call) => ({ jsonrpc: '2.0', id: ++lastId, ...call }))
  if (upstream.can.takesBatches) {
    const replies = await send(upstream, requests, options)
    if (Array.isArray(replies)) return match(requests, replies)
    if (replies.failure !== 'no_batch') return requests.map(() => badReply(replies))
    upstream.can.takesBatches = false
  }
  const timeoutMs = options.timeoutMs - (performance.now() - startedAt)
  const [first, ...others] = requests
  const oneByOne = [
    { request: first!, options: { ...options, timeoutMs } },
    ...others.map((request) => ({
      request,
      options: { ...options, timeoutMs, budget: undefined },
    })),
  ]
  return Promise.all(
    oneByOne.map(async ({ options, request }) => {
      const replies = await send(upstream, request, options)
      return Array.isArray(replies) ? match([request], replies)[0]! : badReply(replies)
    }),
  )
}

export declare namespace callBatch {
  type Options = post.Options
}

type Request = RpcCall & { readonly id: number }

type Reply = { id?: unknown; result?: unknown; error?: unknown }

const badResponse = { ok: false, failure: 'bad_response' } as const

type NoReplies = { ok: false; failure: Failure | 'no_batch' }

/** Sends one request or one batch, and returns the replies as a list. */
async function send(
  upstream: Upstream,
  content: Request | readonly Request[],
  options: post.Options,
): Promise<Reply[] | NoReplies> {
  const posted = await post(upstream, JSON.stringify(content), options)
  if (!posted.ok) return posted
  const answer = parse(posted.text)
  if (!Array.isArray(content)) return isObject(answer) ? [answer] : badResponse
  if (Array.isArray(answer)) return answer.every(isObject) ? answer : badResponse
  if (!isObject(answer) || !isObject(answer['error'])) return badResponse
  const failure = classify(answer['error'])
  return { ok: false, failure: isAboutBatches(answer['error'], failure) ? 'no_batch' : failure }
}

/** Whether the node rejects batches: it rejected the whole batch, and not because of limits, keys or the chain. */
function isAboutBatches({ code, message }: RpcError, failure: Failure): boolean {
  if (failure !== 'server' && failure !== 'unsupported') return false
  return [-32_600, -32_601, -32_602].includes(code as number) || /batch/i.test(String(message))
}

function badReply({ failure }: NoReplies): RpcOutcome {
  return failure === 'no_batch' ? badResponse : { ok: false, failure }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function match(requests: readonly Request[], replies: readonly Reply[]): readonly RpcOutcome[] {
  const byId = new Map<unknown, Reply>()
  for (const reply of replies) {
    if (byId.has(reply.id)) return requests.map(() => badResponse)
    byId.set(reply.id, reply)
  }
  return requests.map(({ id }) => outcomeOf(byId.get(id)))
}

function outcomeOf(reply: Reply | undefined): RpcOutcome {
  if (reply === undefined) return badResponse
  if (isObject(reply.error)) {
    const failure = classify(reply.error)
    const gasCap = failure === 'gas_cap' ? gasCapIn(reply.error) : undefined
    return { ok: false, failure, data: revertData(reply.error['data']), gasCap }
  }
  if (reply.result === undefined || reply.result === null) return badResponse
  return { ok: true, result: reply.result }
}

/** Revert data of an error. Some node implementations wrap it in an object. */
function revertData(data: unknown): unknown {
  return isObject(data) ? data['data'] : data
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
