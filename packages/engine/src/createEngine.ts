import { hasFreshHead } from './ChainState.js'
import { createReports } from './createReports.js'
import type { Engine, EngineConfig } from './Engine.js'
import { createExplain } from './explain/createExplain.js'
import { createProbes } from './heads/createProbes.js'
import { refreshHeads } from './heads/refreshHeads.js'
import { healthOf, nodesOf } from './health.js'
import { askNodes } from './logs/askNodes.js'
import { createLookups } from './lookups/createLookups.js'
import { openChains, openStates } from './openChains.js'
import { hintedAs } from './pools/getHintedQuotes.js'
import { noHints } from './pools/HintSet.js'
import { createPrices } from './prices/createPrices.js'
import { createQuoteMany } from './quotes/createQuoteMany.js'
import { createSolvency } from './solvency/createSolvency.js'
import { createSwapIndex } from './swaps/createSwapIndex.js'
import { readSources } from './venues/readSources.js'

/** Creates an engine. It asks no node until a method needs one or `startProbing` is called. */
export function createEngine(config: EngineConfig): Engine {
  const { now, onFailure } = config
  const states = openStates(config)
  const swapIndex = createSwapIndex(
    (chainId, signal) => {
      const state = states.get(chainId)
      return state && askNodes(state, signal)
    },
    config.swapIndex ?? { chains: new Map() },
    now,
  )
  const chains = openChains(states, { config, usualTrades: swapIndex.usualTrades })
  const { gases, hints, poolsOf, tokens, venues } = chains
  const quoteMany = createQuoteMany(chains, config)
  const prices = new Map(
    [...states].map(([chainId, state]) => [
      chainId,
      createPrices(state, { quoteMany, tokens: tokens.get(chainId)! }),
    ]),
  )
  const probes = createProbes(states, config)

  return {
    ...createLookups(states),
    ...createReports(states, { ...config, quoteMany }),
    quoteMany,
    explain: createExplain(states, venues, config),
    hintsFor: (request) => hints.get(request.chain.chainId)?.known(hintedAs(request)) ?? noHints,
    venues: (chainId) => venues.get(chainId)?.known(),
    async sources(chainId) {
      const chain = venues.get(chainId)
      return chain && (await readSources(chain, poolsOf && (() => poolsOf(chainId))))
    },
    tokens: (chainId) => tokens.get(chainId)!,
    prices: (chainId) => prices.get(chainId)!,
    solvency: createSolvency({ states, now, onFailure }),
    async quote(request, options) {
      const [answer] = await quoteMany([request], options)
      if (!answer!.ok) throw answer!.error
      return answer!.value
    },
    latestHash(chainId) {
      const state = states.get(chainId)
      return state !== undefined && hasFreshHead(state) ? state.head?.hash : undefined
    },
    async isReady() {
      const heads = [...states.values()].map(async (state) => {
        const asOf = performance.now()
        if (!hasFreshHead(state, asOf)) await refreshHeads(state, { now, asOf })
        return hasFreshHead(state, asOf)
      })
      return (await Promise.all(heads)).some(Boolean)
    },
    nodes: () => [...states.values()].flatMap(nodesOf),
    health: () =>
      [...states.values()].map((state) => ({
        ...healthOf(state),
        poolsIndexed: hints.get(state.chain.chainId)?.poolsIndexed(),
      })),
    stats: swapIndex.stats,
    indexing: swapIndex.progress,
    startProbing() {
      probes.start()
      for (const each of [...hints.values(), ...venues.values()]) each.start()
      for (const { prices } of gases.values()) void prices.current()
      swapIndex.start()
    },
    async stop() {
      probes.stop()
      for (const each of [...hints.values(), ...venues.values()]) each.stop()
      for (const { prices } of gases.values()) prices.stop()
      for (const { upstreams } of states.values())
        for (const { agent } of upstreams) agent.destroy()
      await swapIndex.stop()
    },
  }
}
