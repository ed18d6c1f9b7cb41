import { isDeepStrictEqual } from 'node:util'
import type { Address } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { AskNode } from '../logs/AskNode.js'
import { createWindow } from '../logs/Window.js'
import type { Holding } from './choosePools.js'
import { createConversions } from './createConversions.js'
import { createCurvePools } from './createCurvePools.js'
import { createHintedPools } from './createHintedPools.js'
import { createNamedPools } from './createNamedPools.js'
import { createDepthMap, type DepthMap } from './DepthMap.js'
import { followPools } from './followPools.js'
import type { HintSet } from './HintSet.js'
import type { PoolStore } from './PoolStore.js'
import { pickPools } from './pickPools.js'
import type { IndexedPool } from './poolEvents.js'
import type { ConversionDepth } from './readConversions.js'
import { type Depth, readDepths } from './readDepths.js'
import { readWiring, type Wiring } from './readWiring.js'

/** How long depths are used, in milliseconds. Pools that matter rarely change by much. */
const depthsMs = 300_000
/** Maximum number of pools whose depth is kept. 2,000 pools take about 1 MB. */
const maxDepths = 20_000

/** What is known of a chain's pools and converters, for choosing hints. */
export type ChainPools = {
  /**
   * Reads the Hub's venues and what is new on the chain.
   *
   * @returns Whether other hints may be better now.
   * @throws if the node does not answer. What was read before it stays.
   */
  readonly follow: (ask: AskNode) => Promise<boolean>
  /** `undefined` until the chain was read to its end for the first time. */
  readonly known: () => KnownPools | undefined
  /** Records that a quote has these tokens and hints. */
  readonly use: (tokens: readonly [Address, Address], hints: HintSet) => void
}

export type KnownPools = {
  readonly wiring: Wiring
  /** Depths of pools, and of converters. */
  readonly map: DepthMap
  /** Number of pools with a known depth. */
  readonly pools: number
  /** Pools that are found only as hints: those whose contents are known, and others, which have an id. */
  readonly held: Holding
  readonly named: Holding
  /** Tokens of each pool that the Hub lists, and of each conversion. */
  readonly listed: readonly (readonly Address[])[]
}

type Read = {
  readonly picked: readonly IndexedPool[]
  readonly depths: readonly Depth[]
  readonly at: number
  readonly count: number
}

/** @param options.now Unix milliseconds. */
export function createChainPools(
  state: ChainState,
  { now, store }: { now: () => number; store: PoolStore },
): ChainPools {
  const { chain } = state
  const { chainId, stateOverride: brought, wrappedNative } = chain
  const held = createHintedPools(now)
  const named = createNamedPools({ brought, now, wrappedNative })
  const curves = createCurvePools({ brought, now, wrappedNative })
  /** A pool may be both: with liquidity, and with hooks that add to it. */
  const byId: Holding = {
    holding: (token) => [...named.holding(token), ...curves.holding(token)],
  }
  const conversions = createConversions({ chain, now, store: store.tokens })
  const window = createWindow()
  let read: Read | undefined
  let converted: readonly ConversionDepth[] = []
  let map = createDepthMap([], wrappedNative)
  let known: KnownPools | undefined
  /** Whether pools should be picked again, because more of them may lead on. */
  let mayLeadOn = false

  async function readPools(ask: AskNode): Promise<boolean> {
    const count = store.count(chainId)
    const isNew = read?.count !== count
    if (!read || isNew || mayLeadOn || now() - read.at >= depthsMs) {
      const beside = converted.map(({ tokens }) => tokens)
      const picked = await pickPools(store, chainId, maxDepths, beside)
      read = { picked, depths: await readDepths(ask, picked), at: now(), count }
      mayLeadOn = false
    }
    return isNew
  }

  /** A node that answers nothing here can still have read the other pools. */
  async function readOthers(ask: AskNode, wiring: Wiring, block: number): Promise<boolean> {
    const { attested, connectorTokens, listed } = wiring
    const valued = [...connectorTokens, wrappedNative]
    const registries = new Set(attested.map(({ registry }) => registry))
    const announced = store.hinted(chainId).filter(({ registry }) => registries.has(registry))
    const hasHeld = await held.refresh(ask, announced, valued).catch(() => false)
    const { depths, picked } = read!
    const hasNamed = await named.refresh(ask, { attested, depths, valued }).catch(() => false)
    const hasCurves = await curves
      .refresh(ask, { attested, depths, valued, pools: picked, held: held.all() })
      .catch(() => false)
    const tokens = [...valued, ...listed.flat(), ...held.all().flatMap((pool) => pool.tokens)]
    const round = { attested, block, tokens, valued }
    const hasConversions = await conversions.refresh(ask, round).catch(() => false)
    mayLeadOn ||= hasConversions && store.count(chainId) > maxDepths
    return hasHeld || hasNamed || hasCurves || hasConversions
  }

  return {
    async follow(ask) {
      const wiring = await readWiring(state, ask)
      const { factories } = wiring
      const { number } = await followPools({ ask, store, chainId, factories, window })
      const before = read
      const hasNew = await readPools(ask)
      const hasOthers = await readOthers(ask, wiring, number)
      const isChanged = hasNew || hasOthers || !isDeepStrictEqual(known?.wiring, wiring)
      const { depths } = read!
      if (depths !== before?.depths || conversions.all() !== converted || known === undefined) {
        converted = conversions.all()
        map = createDepthMap([...depths, ...converted.map(({ depth }) => depth)], wrappedNative)
      }
      const listed = [...wiring.listed, ...converted.map(({ tokens }) => tokens)]
      known = { wiring, map, pools: depths.length, held, named: byId, listed }
      return isChanged
    },
    known: () => known,
    use(tokens, { connectors, pools }) {
      held.use(pools)
      named.use(pools)
      curves.use(pools)
      conversions.use([...tokens, ...connectors])
      conversions.note(tokens)
    },
  }
}
