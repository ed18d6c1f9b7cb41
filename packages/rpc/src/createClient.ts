import { type Budget, createBudget } from './Budget.js'
import { callBatch, type RpcCall, type RpcOutcome } from './callBatch.js'
import { type Failure, isAnswer } from './failures.js'
import { createHedging } from './Hedging.js'
import { race } from './race.js'
import { rankUpstreams } from './rankUpstreams.js'
import * as Standing from './Standing.js'
import { tryDemoted } from './tryDemoted.js'
import { createUpstream, type Upstream } from './Upstream.js'

/** Several nodes of one chain, asked as if they were one. */
export type Client = {
  /** Makes calls as one JSON-RPC batch. Never rejects. */
  readonly request: (
    calls: readonly RpcCall[],
    options: createClient.RequestOptions,
  ) => Promise<createClient.Answer>
  /** How the nodes fare, in the order of their addresses, from memory alone. */
  readonly nodes: () => readonly NodeState[]
  /** Closes the connections that are kept open. */
  readonly stop: () => void
}

/** How one node fares. */
export type NodeState = {
  /** "base#1" */
  readonly label: string
  /** It failed or was slow, and is asked only if no other node is left. */
  readonly isDemoted: boolean
  /** It asked to be left alone for now (429 with Retry-After). */
  readonly isResting: boolean
}

const defaultAttempts = 3
const defaultRequests = 12
/** A copy for a demoted node waits for this many times the usual time of an answer. */
const patience = 2

/**
 * Asks several nodes of one chain as one.
 *
 * A node that fails is followed by the next, one that is slower than usual gets a competitor on another host, and one
 * that keeps failing or being slow is asked last until it has recovered.
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

/** Why the node gave no answer to one of the calls; a revert is an answer. */
function failureIn(outcomes: readonly RpcOutcome[]): Failure | undefined {
  for (const outcome of outcomes)
    if (!outcome.ok && !isAnswer(outcome.failure)) return outcome.failure
  return undefined
}

export declare namespace createClient {
  type Options = {
    /** Stands for the nodes in reports, in place of their addresses: the first one is "name#1". */
    name: string
    /** Addresses, best first. A key in them is never logged, thrown or answered. */
    urls: readonly string[]
  }
  type RequestOptions = {
    /** Milliseconds for all attempts together. */
    timeoutMs: number
    /** Given up when it aborts. */
    signal?: AbortSignal | undefined
    /** What is sent is taken from it. @default 12 requests */
    budget?: Budget | undefined
    /** Sort of request whose times are comparable; name few of them. @default 'call' */
    kind?: string | undefined
    /** Nodes that are asked. @default 3 */
    maxAttempts?: number | undefined
    /** Bytes of an answer; a node that sends more has failed. @default 262,144 */
    maxBytes?: number | undefined
    /** Told of each attempt that failed. */
    onFailure?: ((report: { label: string; failure: Failure }) => void) | undefined
  }
  /** In the order of the calls. */
  type Outcomes = readonly (
    | { readonly ok: true; readonly result: unknown }
    /** What the EVM said; `data` is what a revert carries. */
    | { readonly ok: false; readonly failure: 'revert' | 'halt'; readonly data?: unknown }
  )[]
  type Answer =
    | { readonly ok: true; readonly outcomes: Outcomes }
    /** No node answered; the reason of the last one. */
    | { readonly ok: false; readonly failure: Failure }
}
