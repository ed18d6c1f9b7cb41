import { GasCost, type Plan, type QuoteRequest, type Registry } from '@sluice/domain'
import { createUpstream } from '@sluice/rpc'
import type { Address } from 'viem'
import { type ChainState, createChainState } from './ChainState.js'
import type { EngineConfig } from './Engine.js'
import { priceGas } from './gas/countGas.js'
import { createGasPrices, type GasPrices } from './gas/GasPrices.js'
import { createNativeRates, type NativeRates } from './gas/NativeRates.js'
import { createHints, type Hints } from './pools/createHints.js'
import { openPoolStore } from './pools/PoolStore.js'
import { usualRequests } from './pools/usualRequests.js'
import type { SwapIndex } from './swaps/createSwapIndex.js'
import { type ChainTokens, createTokens } from './tokens/createTokens.js'
import { type ChainVenues, createVenues } from './venues/createVenues.js'

/** The engine's state for its chains, by chain id. */
export type EngineChains = {
  readonly states: ReadonlyMap<number, ChainState>
  /** Gas prices, and rates of the native coin in other tokens. */
  readonly gases: ReadonlyMap<number, { readonly prices: GasPrices; readonly rates: NativeRates }>
  readonly venues: ReadonlyMap<number, ChainVenues>
  readonly tokens: ReadonlyMap<number, ChainTokens>
  /** Empty without a pool index. */
  readonly hints: ReadonlyMap<number, Hints>
  /** Pools in the index by the factory that announced them; `undefined` without an index. */
  readonly poolsOf: ((chainId: number) => ReadonlyMap<Address, number>) | undefined
}

const defaultMaxFlights = 32

/** Creates the state of every served chain. */
export function openStates(config: EngineConfig): ReadonlyMap<number, ChainState> {
  return new Map([...config.registry].map(([chainId, chain]) => [chainId, toState(chain, config)]))
}

/** Adds gas prices and hints to the chain states. */
export function openChains(
  states: ReadonlyMap<number, ChainState>,
  { config, usualTrades }: { config: EngineConfig } & Pick<SwapIndex, 'usualTrades'>,
): EngineChains {
  const gases = new Map(
    [...states].map(([chainId, state]) => [
      chainId,
      { prices: createGasPrices(state), rates: createNativeRates() },
    ]),
  )
  const venues = new Map(
    [...states].map(([chainId, state]) => [chainId, createVenues(state, config)]),
  )
  const lists = config.tokenLists ?? []
  const tokens = new Map(
    [...states].map(([chainId, state]) => [
      chainId,
      createTokens(state, { ...config, venues: venues.get(chainId)!, lists }),
    ]),
  )
  const hints = new Map<number, Hints>()
  const common = { states, gases, venues, tokens, hints }
  if (config.poolIndex === undefined) return { ...common, poolsOf: undefined }
  const store = openPoolStore(config.poolIndex)
  for (const [chainId, state] of states) {
    const { prices, rates } = gases.get(chainId)!
    const usual = async () =>
      await priceGas(usualRequests(state.chain, await usualTrades(chainId)), prices)
    const gasCostOf = (request: QuoteRequest.QuoteRequest, plan: Plan.Plan) =>
      GasCost.of({ request, plan, estGas: plan.estGas }, rates.of(request.tokenOut.address))
    hints.set(chainId, createHints(state, { store, gasCostOf, usual, now: config.now }))
  }
  return { ...common, poolsOf: kept(store.countByFactory) }
}

function toState(chain: Registry.ServedChain, config: EngineConfig): ChainState {
  const urls = config.rpcUrls.get(chain.chainId) ?? []
  return createChainState({
    chain,
    upstreams: urls.map((url, index) =>
      createUpstream({ url, label: `${chain.chainId}#${index + 1}` }),
    ),
    maxBlockAgeMs: maxBlockAgeMs(chain, config),
    headFreshMs: Math.min(config.headFreshMs, chain.blockTimeMs / 2),
    maxFlights: config.maxFlights ?? defaultMaxFlights,
    shared: config.shared,
  })
}

function maxBlockAgeMs(
  chain: Registry.ServedChain,
  { maxBlockAge }: EngineConfig,
): number | undefined {
  if (maxBlockAge === 'off') return undefined
  if (maxBlockAge !== 'auto') return maxBlockAge
  const minMs = chain.blockTimeMs > 5_000 ? 60_000 : 15_000
  return Math.max(3 * chain.blockTimeMs, minMs)
}

/** How long counts of pools are kept, in milliseconds: counting looks at every pool of the chain. */
const countsMs = 60_000

function kept<counts>(count: (chainId: number) => counts): (chainId: number) => counts {
  const known = new Map<number, { counts: counts; until: number }>()
  return (chainId) => {
    const found = known.get(chainId)
    if (found && performance.now() < found.until) return found.counts
    const counts = count(chainId)
    known.set(chainId, { counts, until: performance.now() + countsMs })
    return counts
  }
}
