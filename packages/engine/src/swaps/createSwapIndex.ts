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

/** The chains of the swap index, and where it is kept. */
export type SwapIndexConfig = {
  /** Unset keeps no index. */
  readonly store?: SwapStore | undefined
  /** By chain id, of every chain that the answers tell of. */
  readonly chains: ReadonlyMap<
    number,
    { readonly name: string; readonly routers: readonly FollowedRouter[] }
  >
  /** By chain id: where reading begins, in place of a search for the Routers' creation. */
  readonly firstBlocks?: ReadonlyMap<number, number> | undefined
  /** Pause between two looks at a chain, in milliseconds. @default 15,000 */
  readonly everyMs?: number | undefined
  /** Told at most every five seconds of a chain while it is read, and when it is reached. */
  readonly onProgress?: ((progress: SwapProgress) => void) | undefined
  readonly onFailure?:
    | ((failure: { chainId: number; fault: SwapFault; reason?: string }) => void)
    | undefined
}

/** The index of the Routers' events, which the protocol's statistics are counted from. */
export type SwapIndex = {
  /** Looks at every chain once, as `start` does again and again. Never fails. */
  readonly look: () => Promise<void>
  /**
   * From the store alone: no node is asked. Never fails, and takes two seconds at most: if the store does not answer
   * by then, these are the last figures.
   */
  readonly stats: () => Promise<SwapStats>
  /**
   * The pairs that were swapped most of late, the most first, each with an amount that is usual. From the store alone;
   * none if it does not answer.
   */
  readonly usualTrades: (chainId: number) => Promise<readonly Trade[]>
  /** How far the chains are that this process reads, from memory alone. */
  readonly progress: () => readonly SwapProgress[]
  readonly start: () => void
  readonly stop: () => Promise<void>
}

const defaultEveryMs = 15_000
/** Figures hold for so long after the index was last up to date, or for so many rounds if those are slow. */
const currentMs = 600_000
const currentRounds = 3
/** Longest wait for the store, and how long the last figures are given in its place. */
const countMs = 2_000
const lastMs = 3_600_000

/** @param nodesOf The nodes of a chain that may be asked, best first; `undefined` if none is configured. */
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
  const chains = [...config.chains].map(([chainId, { name, routers }]): SwapChain => {
    const hasNodes = nodesOf(chainId, signal) !== undefined
    return { chainId, name, routers, fault: faultOf({ hasStore: !!store, hasNodes, routers }) }
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

  /** The next look follows after a pause, whatever came out. */
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
    const counts = await store?.count({ routers, since: sinceOf(measuredAt) })
    return { counts, measuredAt }
  })
  let last: Count | undefined

  /** The last figures stand in for a while if the store does not answer, or not in time. */
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
      // A store that does not answer gives the right up by itself, after a while.
      await store?.release(writer).catch(() => {})
      await store?.close()
    },
  }
}

type Count = { readonly counts: SwapCounts | undefined; readonly measuredAt: number }

/**
 * Counts one at a time: whoever comes meanwhile waits for the same, and nobody for longer than a moment.
 *
 * @returns `undefined` if the store fails, or is slow; it goes on then, and the next one finds it.
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
