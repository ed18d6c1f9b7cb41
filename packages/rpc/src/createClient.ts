import { type Budget, createBudget } from './Budget.js'
import { callBatch, type RpcCall, type RpcOutcome } from './callBatch.js'
import { type Failure, isAnswer } from './failures.js'
import { createHedging } from './Hedging.js'
import { race } from './race.js'
import { rankUpstreams } from './rankUpstreams.js'
import * as Standing from './Standing.js'
import { tryDemoted } from './tryDemoted.js'
import { createUpstream, type Upstream } from './Upstream.js'

/** A client of several nodes of one chain. */
export type Client = {
  /** Sends calls as one JSON-RPC batch. Never rejects. */
  readonly request: (
    calls: readonly RpcCall[],
    options: createClient.RequestOptions,
  ) => Promise<createClient.Answer>
  /** State of each node, in the order of the URLs. Sends no request. */
  readonly nodes: () => readonly NodeState[]
  /** Closes all open connections. */
  readonly stop: () => void
}

/** State of one node. */
export type NodeState = {
  /** Name of the node, such as "base#1". */
  readonly label: string
  /** Whether the node failed or was slow. It is then asked only if no other node is left. */
  readonly isDemoted: boolean
  /** Whether the node gets no requests for now (429 with Retry-After). */
  readonly isResting: boolean
}

const defaultAttempts = 3
const defaultRequests = 12
/** Timeout of a copy for a demoted node, in multiples of the usual response time. */
const patience = 2

/**
 * Creates a client of several nodes of one chain.
 *
 * If a node fails, the client asks the next one. If a node is slower than usual, the client also asks one on another host.
 * A node that keeps failing or being slow is asked last until it has recovered.
 */
export function createClient({ name, urls }: createClient.Options): Client {
  const upstreams = urls.map((url, index) => createUpstream({ url, label: `${name}#${index + 1}` }))
  const hedging = createHedging()

  async function request(
    calls: readonly RpcCall[],
    options: createClient.RequestOptions,
  ): Promise<createClient.Answer> {
    const { kind = 'call', maxAttempts = defaultAttempts, maxBytes, signal, timeoutMs } = options
    const { budget = createBudget({ requests: defaultRequests }) } = options
    const startedAt = performance.now()
    const send = (upstream: Upstream, limits: race.AttemptOptions, from = budget) =>
      callBatch(upstream, calls, { ...limits, maxBytes, budget: from })
    tryDemoted(upstreams, async (upstream) => {
      const limits = {
        timeoutMs: patience * hedging.delayMs(kind),
        signal: new AbortController().signal,
      }
      return failureIn(await send(upstream, limits, budget.part(`copy to ${upstream.label}`, 1)))
    })
    let outcomes: readonly RpcOutcome[] = []
    const { failure } = await race({
      upstreams: rankUpstreams(upstreams, startedAt, budget.slow),
      endsAt: startedAt + timeoutMs,
      maxAttempts,
      mode: kind,
      hedging,
      slow: budget.slow,
      signal,
      async attempt(upstream, limits) {
        const found = await send(upstream, limits)
        const failed = failureIn(found)
        if (failed === undefined) outcomes = found
        return failed
      },
      asksAgain: () => undefined,
      onFailure: ({ label }, failed) => options.onFailure?.({ label, failure: failed }),
    })
    if (failure === undefined) return { ok: true, outcomes: outcomes as createClient.Outcomes }
    return { ok: false, failure: signal?.aborted ? 'cancelled' : failure }
  }

  return {
    request,
    nodes: () =>
      upstreams.map(({ label, standing }) => ({
        label,
        isDemoted: Standing.isDemoted(standing),
        isResting: Standing.isResting(standing, performance.now()),
      })),
    stop() {
      for (const { agent } of upstreams) agent.destroy()
    },
  }
}

/** First failure among the outcomes; `undefined` if all calls have a result or reverted. */
function failureIn(outcomes: readonly RpcOutcome[]): Failure | undefined {
  for (const outcome of outcomes)
    if (!outcome.ok && !isAnswer(outcome.failure)) return outcome.failure
  return undefined
}

export declare namespace createClient {
  type Options = {
    /** Name of the nodes in reports, in place of their URLs: the first node is "name#1". */
    name: string
    /** URLs of the nodes, best first. A key in them is never logged, thrown or returned. */
    urls: readonly string[]
  }
  type RequestOptions = {
    /** Timeout of all attempts together. */
    timeoutMs: number
    /** Aborts the request. */
    signal?: AbortSignal | undefined
    /** Budget that each sent request uses up. @default 12 requests */
    budget?: Budget | undefined
    /** Kind of request with comparable times; use few kinds. @default 'call' */
    kind?: string | undefined
    /** Maximum number of nodes to ask. @default 3 */
    maxAttempts?: number | undefined
    /** Maximum size of a response in bytes; a node that sends more has failed. @default 262,144 */
    maxBytes?: number | undefined
    /** Called for each failed attempt. */
    onFailure?: ((report: { label: string; failure: Failure }) => void) | undefined
  }
  /** Outcomes in the order of the calls. */
  type Outcomes = readonly (
    | { readonly ok: true; readonly result: unknown }
    /** The EVM reverted or stopped; `data` is the revert data. */
    | { readonly ok: false; readonly failure: 'revert' | 'halt'; readonly data?: unknown }
  )[]
  type Answer =
    | { readonly ok: true; readonly outcomes: Outcomes }
    /** No node responded; `failure` is that of the last one. */
    | { readonly ok: false; readonly failure: Failure }
}
