import { callBatch, createUpstream, type RpcCall, rankUpstreams, type Upstream } from '@sluice/rpc'
import type { ChainState } from '../ChainState.js'
import type { AskNode } from './AskNode.js'

/** Maximum number of calls in one JSON-RPC batch. */
const maxCalls = 20
const timeoutMs = 20_000
/** Size limit of a response in bytes; logs are larger than quotes. */
const maxBytes = 16 * 1024 * 1024

/**
 * Returns the nodes of a chain, best first. Failures here do not count in their standing, because they say nothing
 * about quotes.
 */
export function askNodes(state: ChainState, signal: AbortSignal): readonly AskNode[] {
  return rankUpstreams(state.upstreams, performance.now()).map((upstream) => ask(upstream, signal))
}

/** Returns one node by its URL. */
export function askNodeAt(chainId: number, url: string): AskNode {
  return ask(createUpstream({ url, label: `${chainId}#1` }))
}

function ask(upstream: Upstream, signal?: AbortSignal): AskNode {
  return async (calls) => {
    const parts: RpcCall[][] = []
    for (let first = 0; first < calls.length; first += maxCalls)
      parts.push(calls.slice(first, first + maxCalls))
    const options = { timeoutMs, signal, maxBytes }
    const outcomes = await Promise.all(parts.map((part) => callBatch(upstream, part, options)))
    return outcomes.flat()
  }
}
