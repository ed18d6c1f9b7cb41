import { randomUUID } from 'node:crypto'
import type { AskNode } from '../logs/AskNode.js'
import { type ChainFollower, createChainFollower } from './createChainFollower.js'
import type { SwapProgress } from './Progress.js'
import type { SwapFault } from './SwapFault.js'
import {
  type FollowedRouter,
  routersText,
  type SwapChain,
  type SwapStats,
  statsOf,
} from './SwapStats.js'
import type { SwapCounts, SwapStore, Trade } from './SwapStore.js'
import { maxSwaps, usualTradesOf } from './usualTrades.js'

/** Chains and store of the swap index. */
export type SwapIndexConfig = {
  /** If unset, there is no index. */
  readonly store?: SwapStore | undefined
  /** All chains that the statistics cover, by chain id. */
  readonly chains: ReadonlyMap<
    number,
    {
      readonly name: string
      readonly routers: readonly FollowedRouter[]
      /** Usual time between two blocks, in milliseconds; without it, swaps are not counted by day. */
      readonly blockTimeMs?: number | undefined
    }
  >
  /** First blocks by chain id, to use instead of searching for the Routers' creation. */
  readonly firstBlocks?: ReadonlyMap<number, number> | undefined
  /** Pause between two rounds of a chain, in milliseconds. @default 15,000 */
  readonly everyMs?: number | undefined
  /** Called at most every five seconds during a long round, and when it reaches the latest block. */
  readonly onProgress?: ((progress: SwapProgress) => void) | undefined
  readonly onFailure?:
    | ((failure: { chainId: number; fault: SwapFault; reason?: string }) => void)
    | undefined
}

/** Index of the Routers' events, from which the protocol's statistics are counted. */
export type SwapIndex = {
  /** Runs one round on every chain; `start` repeats it. Never fails. */
  readonly look: () => Promise<void>
  /**
   * Statistics from the store. Asks no node, never fails, and takes at most two seconds: if the store does not answer
   * in time, returns the last figures.
   */
  readonly stats: () => Promise<SwapStats>
  /**
   * The most frequently swapped pairs, most frequent first, each with a typical amount. Reads the store only; empty if
   * it does not answer.
   */
  readonly usualTrades: (chainId: number) => Promise<readonly Trade[]>
  /** Progress of the chains that this process reads. Reads memory only. */
  readonly progress: () => readonly SwapProgress[]
  readonly start: () => void
  readonly stop: () => Promise<void>
}

const defaultEveryMs = 15_000
/**
 * Figures are valid for this many milliseconds after the index was last up to date, or for this many rounds if that is
 * longer.
 */
const currentMs = 600_000
const currentRounds = 3
/** Maximum wait for the store, in milliseconds. */
const countMs = 2_000
const dayMs = 86_400_000
/** How long the last figures replace missing ones, in milliseconds. */
const lastMs = 3_600_000

/** @param nodesOf Returns the nodes of a chain, best first; `undefined` if none is configured. */
export function createSwapIndex(
  nodesOf: (chainId: number, signal: AbortSignal) => readonly AskNode[] | undefined,
  config: SwapIndexConfig,
  now: () => number,
): SwapIndex {
  const { everyMs = defaultEveryMs, store } = config
  const stopping = new AbortController()
  const { signal } = stopping
  const timers = new Set<NodeJS.Timeout>()
  const rounds = new Set<Promise<void>>()
  const chains = [...config.chains].map(([chainId, { blockTimeMs, name, routers }]): SwapChain => {
    const hasNodes = nodesOf(chainId, signal) !== undefined
    const dayBlocks = blockTimeMs && Math.max(1, Math.round(dayMs / blockTimeMs))
    const fault = faultOf({ hasStore: !!store, hasNodes, routers })
    return { chainId, name, routers, dayBlocks, fault }
  })
  const followed = chains.filter(({ fault }) => fault === undefined)
  const writer = randomUUID()
  const { onFailure, onProgress } = config
  const followers = followed.map((chain) =>
    createChainFollower(chain, {
      store: store!,
      nodes: () => nodesOf(chain.chainId, signal) ?? [],
      firstBlock: config.firstBlocks?.get(chain.chainId),
      minClaimMs: 2 * everyMs,
      ...{ now, onFailure, onProgress, signal, writer },
    }),
  )

  async function look(follower: ChainFollower): Promise<void> {
    const round = follower.look()
    rounds.add(round)
    await round
    rounds.delete(round)
  }

  /** Repeats rounds with a pause between them, whether they succeed or not. */
  async function keepFollowing(follower: ChainFollower): Promise<void> {
    await look(follower)
    if (signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      keepFollowing(follower)
    }, everyMs)
    timers.add(timer.unref())
  }

  const sinceOf = (measuredAt: number) => measuredAt - Math.max(currentMs, currentRounds * everyMs)
  const countAfresh = createCount(async () => {
    const measuredAt = now()
    const routers = new Map(followed.map((chain) => [chain.chainId, routersText(chain)]))
    const days = new Map(
      followed.flatMap(({ chainId, dayBlocks }) => (dayBlocks ? [[chainId, dayBlocks]] : [])),
    )
    const counts = await store?.count({ routers, days, since: sinceOf(measuredAt) })
    return { counts, measuredAt }
  })
  let last: Count | undefined

  /** Returns the last figures for a while if the store does not answer in time. */
  async function count(): Promise<Count & { isLast: boolean }> {
    const fresh = await countAfresh()
    if (fresh !== undefined) {
      last = fresh
      return { ...fresh, isLast: false }
    }
    if (last !== undefined && now() - last.measuredAt < lastMs) return { ...last, isLast: true }
    return { counts: undefined, measuredAt: now(), isLast: false }
  }

  return {
    async look() {
      await Promise.all(followers.map(look))
    },
    async stats() {
      const { counts, isLast, measuredAt } = await count()
      return statsOf(chains, counts, { measuredAt, isLast, since: sinceOf(measuredAt) })
    },
    usualTrades: async (chainId) =>
      usualTradesOf((await store?.latest(chainId, maxSwaps).catch(() => [])) ?? []),
    progress: () => followers.flatMap((follower) => follower.progress() ?? []),
    start() {
      for (const follower of followers) keepFollowing(follower)
    },
    async stop() {
      stopping.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(rounds)
      // If the store does not answer, the right expires by itself.
      await store?.release(writer).catch(() => {})
      await store?.close()
    },
  }
}

type Count = { readonly counts: SwapCounts | undefined; readonly measuredAt: number }

/**
 * Runs one count at a time; concurrent callers share it. Nobody waits longer than `countMs`.
 *
 * @returns `undefined` if the store fails or is slow. A slow count continues, so a later caller gets its result.
 */
function createCount(count: () => Promise<Count>): () => Promise<Count | undefined> {
  let running: Promise<Count | undefined> | undefined
  return async () => {
    running ??= count()
      .catch(() => undefined)
      .finally(() => {
        running = undefined
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, countMs, undefined)
    })
    return await Promise.race([running, late]).finally(() => clearTimeout(timer))
  }
}

function faultOf(options: {
  hasStore: boolean
  hasNodes: boolean
  routers: readonly FollowedRouter[]
}): SwapChain['fault'] {
  if (!options.hasStore) return 'index_off'
  if (options.routers.length === 0) return 'not_deployed'
  return options.hasNodes ? undefined : 'no_node'
}
