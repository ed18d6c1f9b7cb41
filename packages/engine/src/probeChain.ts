import { type ChainState, noteHead } from './ChainState.js'
import { parseHead } from './Head.js'
import { callBatch, type RpcOutcome } from './rpc/callBatch.js'
import type { Upstream } from './rpc/Upstream.js'

const timeoutMs = 2_000

/**
 * Asks every node of a chain which chain it serves, and whether Router and Quoter hold code there. A node of another
 * chain is taken out, which also catches a mistyped setting.
 */
export async function probeChain(state: ChainState, signal?: AbortSignal): Promise<void> {
  await Promise.all(state.upstreams.map((upstream) => probe(state, upstream, signal)))
}

async function probe(state: ChainState, upstream: Upstream, signal?: AbortSignal): Promise<void> {
  const { quoter, router } = state.chain.contracts
  const askedAt = performance.now()
  const outcomes = await callBatch(
    upstream,
    [
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getCode', params: [quoter, 'latest'] },
      { method: 'eth_getCode', params: [router, 'latest'] },
    ],
    { timeoutMs, signal },
  )
  const [chainId, header, quoterCode, routerCode] = outcomes.map(resultOf)
  if (typeof chainId !== 'string') return
  upstream.isExcluded = Number.parseInt(chainId, 16) !== state.chain.chainId
  if (upstream.isExcluded) return
  const head = parseHead(header)
  if (head !== undefined) noteHead(state, head, askedAt)
  if (hasCode(quoterCode) && hasCode(routerCode)) state.isProbed = true
}

function resultOf(outcome: RpcOutcome): unknown {
  return outcome.ok ? outcome.result : undefined
}

function hasCode(value: unknown): boolean {
  return typeof value === 'string' && /^0x[0-9a-f]{2}/.test(value)
}
