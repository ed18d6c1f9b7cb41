import { type QuoteRequest, Registry } from '@sluice/domain'
import { deployments } from '../../domain/test/deployments.js'
import { requestOn } from '../../domain/test/requests.js'
import { createEngine, type Engine, type EngineConfig } from '../src/index.js'
import type { FakeNode } from './fakeNode.js'

export const registry = Registry.from(deployments, [8_453, 42_161, 31_337])

/** An engine whose bench chain is served by these nodes. */
export function engineOn(nodes: readonly FakeNode[], changes: Partial<EngineConfig> = {}): Engine {
  return createEngine({
    registry,
    rpcUrls: new Map([[31_337, nodes.map(({ url }) => url)]]),
    headFreshMs: 1_000,
    maxBlockAge: 'off',
    now: Date.now,
    ...changes,
  })
}

export function requestOf(
  changes: Partial<QuoteRequest.QuoteRequest> = {},
): QuoteRequest.QuoteRequest {
  return requestOn(registry.get(31_337)!, changes)
}
