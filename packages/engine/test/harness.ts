import { type QuoteRequest, Registry } from '@sluice/domain'
import { deployments, tokens } from '../../domain/test/deployments.js'
import { createEngine, type Engine, type EngineConfig } from '../src/index.js'
import type { FakeNode } from './fakeNode.js'

export const registry = Registry.from(deployments, [8_453, 42_161, 31_337])

/** An engine whose bench chain is served by the nodes. */
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
  return {
    chain: registry.get(31_337)!,
    tokenIn: { address: tokens.weth, isNative: false },
    tokenOut: { address: tokens.usdc, isNative: false },
    amountIn: 1_000_000n,
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: 120,
    isExact: false,
    gasPrice: 0n,
    connectors: [],
    ...changes,
  }
}
