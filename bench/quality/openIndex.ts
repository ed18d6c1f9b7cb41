import { setTimeout as sleep } from 'node:timers/promises'
import { type PlanChecks, QuoteRequest, Registry } from '@sluice/domain'
import { createChainState, createHints, type HintSet, openPoolStore } from '@sluice/engine'
import { createBudget, createUpstream } from '@sluice/rpc'
import { chainId, type Standing } from './Standing.js'

const READY_MS = 120_000
/** Node requests for one search: more than any takes. */
const REQUESTS = 10_000

/** The service's index of a market's pools and converters. */
export type Index = {
  /** Hints for a trade, after a whole search. */
  readonly propose: (trade: PlanChecks.Trade) => Promise<HintSet>
  readonly stop: () => void
}

/** Starts the service's own index on the market's node, and waits until it knows the whole market. */
export async function openIndex({
  deployments,
  url,
}: Pick<Standing, 'deployments' | 'url'>): Promise<Index> {
  const chain = Registry.from(deployments, [chainId]).get(chainId)!
  const upstreams = [createUpstream({ url, label: `${chainId}#1` })]
  const state = createChainState({
    chain,
    upstreams,
    maxBlockAgeMs: undefined,
    headFreshMs: 1_000,
    maxFlights: 32,
    shared: undefined,
  })
  const hints = createHints(state, {
    store: openPoolStore(':memory:'),
    gasCostOf: () => undefined,
    now: Date.now,
  })
  hints.start()
  const endsAt = performance.now() + READY_MS
  while (hints.poolsIndexed() === undefined) {
    if (performance.now() > endsAt)
      throw new Error('The pool index did not catch up with the chain.')
    await sleep(20)
  }
  return {
    propose: ({ amountIn, tokenIn, tokenOut }) =>
      hints.propose(
        {
          chain,
          tokenIn: { address: tokenIn, isNative: false },
          tokenOut: { address: tokenOut, isNative: false },
          amountIn,
          recipient: undefined,
          slippageBps: undefined,
          deadlineSec: QuoteRequest.defaultDeadlineSec,
          isExact: false,
          gasPrice: 0n,
          connectors: [],
        },
        createBudget({ requests: REQUESTS }),
      ),
    stop() {
      hints.stop()
      for (const { agent } of upstreams) agent.destroy()
    },
  }
}
