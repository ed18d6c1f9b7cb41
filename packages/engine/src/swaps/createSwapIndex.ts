import { randomUUID } from 'node:crypto'
import { Addresses } from '@sluice/domain'
import type { AskNode } from '../logs/AskNode.js'
import type { Cursor } from '../logs/Block.js'
import { followLogs } from '../logs/followLogs.js'
import { LogsError } from '../logs/LogsError.js'
import { createWindow, type Window } from '../logs/Window.js'
import { findFirstBlock } from './findFirstBlock.js'
import { swapTopics } from './SwapEvent.js'
import type { SwapFault } from './SwapStats.js'
import {
  type FollowedRouter,
  routersText,
  type SwapChain,
  type SwapStats,
  statsOf,
} from './SwapStats.js'
import type { SwapStore } from './SwapStore.js'

export type SwapIndexConfig = {
  readonly store: SwapStore
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
  readonly onFailure?: ((failure: { chainId: number; fault: SwapFault }) => void) | undefined
}

export type SwapProgress = {
  readonly chainId: number
  readonly block: number
  readonly head: number
  /** Of the way from the first block to the latest, from 0 to 1. */
  readonly part: number
}

/** The index of the Routers' events, which the protocol's statistics are counted from. */
export type SwapIndex = {
  /** Looks at every chain once, as `start` does again and again. Never fails. */
  readonly look: () => Promise<void>
  /** From the store alone: no node is asked. Never fails. */
  readonly stats: () => Promise<SwapStats>
  readonly start: () => void
  readonly stop: () => Promise<void>
}

const defaultEveryMs = 15_000
/** A process that writes a chain keeps the right to for so long after its last sign of life. */
const claimMs = 60_000
const reportEveryMs = 5_000
/** Figures hold for so long after the index was last up to date, or for so many rounds where those are slow. */
const currentMs = 600_000
const currentRounds = 3

/** @param nodesOf The nodes of a chain that may be asked, best first; `undefined` where none is configured. */
export function createSwapIndex(
  nodesOf: (chainId: number, signal: AbortSignal) => readonly AskNode[] | undefined,
  config: SwapIndexConfig,
  now: () => number,
): SwapIndex {
  const { everyMs = defaultEveryMs, store } = config
  const writer = randomUUID()
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const rounds = new Set<Promise<void>>()
  const chains = [...config.chains].map(([chainId, { name, routers }]): SwapChain => {
    const hasNodes = nodesOf(chainId, stopping.signal) !== undefined
    return { chainId, name, routers, fault: faultOf(routers, hasNodes) }
  })
  const followed = chains
    .filter(({ fault }) => fault === undefined)
    .map((chain) => ({ chain, window: createWindow() }))

  async function look({ chain, window }: (typeof followed)[number]): Promise<void> {
    const { chainId } = chain
    const round = followOnce(chain, window).catch((error: unknown) => {
      if (stopping.signal.aborted) return
      const fault = error instanceof LogsError ? faultFrom(error) : 'store_unreachable'
      config.onFailure?.({ chainId, fault })
    })
    rounds.add(round)
    await round
    rounds.delete(round)
  }

  /** The next look follows after a pause, whatever came out. */
  async function keepFollowing(each: (typeof followed)[number]): Promise<void> {
    await look(each)
    if (stopping.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      keepFollowing(each)
    }, everyMs)
    timers.add(timer.unref())
  }

  /** Asks one node after the other until one of them brings the chain up to date. */
  async function followOnce(chain: SwapChain, window: Window): Promise<void> {
    const { chainId } = chain
    const at = now()
    if (!(await store.claim(chainId, { writer, now: at, until: at + claimMs }))) return
    let fault: SwapFault = 'rpc_unreachable'
    for (const ask of nodesOf(chainId, stopping.signal) ?? []) {
      try {
        return await bringUp(chain, ask, window)
      } catch (error) {
        if (!(error instanceof LogsError) || stopping.signal.aborted) throw error
        fault = faultFrom(error)
      }
    }
    config.onFailure?.({ chainId, fault })
    await store.note(chainId, { failure: fault })
  }

  async function bringUp(chain: SwapChain, ask: AskNode, window: Window): Promise<void> {
    const { chainId } = chain
    const filter = {
      addresses: routersText(chain).split(',') as FollowedRouter['address'][],
      topics: swapTopics,
    }
    const firstBlock = await begin(chain, ask)
    if (firstBlock === undefined) {
      config.onFailure?.({ chainId, fault: 'not_deployed' })
      return await store.note(chainId, { failure: 'not_deployed' })
    }
    const report = reporter(chainId, firstBlock)
    const { cursor, head } = await followLogs({
      ask,
      filter,
      firstBlock,
      window,
      store: store.logs(chainId),
      onProgress: report,
    })
    const hasReached = cursor?.hash === head.hash
    await store.note(chainId, { head: head.number, ...(hasReached && { reachedAt: now() }) })
  }

  /** Where the chain's index begins; begins it anew where it is of other Routers. */
  async function begin(chain: SwapChain, ask: AskNode): Promise<number | undefined> {
    const { chainId } = chain
    const routers = routersText(chain)
    const known = await store.chain(chainId)
    if (known?.routers === routers) return known.firstBlock
    const addresses = chain.routers.map(({ address }) => address)
    const firstBlock = config.firstBlocks?.get(chainId) ?? (await findFirstBlock(ask, addresses))
    if (firstBlock !== undefined) await store.begin(chainId, { routers, firstBlock })
    return firstBlock
  }

  /** Keeps the right to write during a long round, and lets progress be seen. */
  function reporter(chainId: number, firstBlock: number) {
    let toldAt = now()
    let isLong = false
    return ({ cursor, head }: { cursor: Cursor; head: Cursor }) => {
      const at = now()
      const isReached = cursor.number === head.number
      if (at - toldAt < reportEveryMs && !(isLong && isReached)) return
      toldAt = at
      isLong = true
      const part = (cursor.number - firstBlock + 1) / (head.number - firstBlock + 1)
      config.onProgress?.({ chainId, block: cursor.number, head: head.number, part })
      const forget = () => {}
      store.claim(chainId, { writer, now: at, until: at + claimMs }).catch(forget)
      store.note(chainId, { head: head.number }).catch(forget)
    }
  }

  return {
    async look() {
      await Promise.all(followed.map(look))
    },
    async stats() {
      const measuredAt = now()
      const since = measuredAt - Math.max(currentMs, currentRounds * everyMs)
      const routers = new Map(followed.map(({ chain }) => [chain.chainId, routersText(chain)]))
      const counts = await store.count({ routers, since }).catch(() => undefined)
      return statsOf(chains, counts, { measuredAt, since })
    },
    start() {
      for (const each of followed) keepFollowing(each)
    },
    async stop() {
      stopping.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(rounds)
      // Without a store there is nothing to give up.
      await store.release(writer).catch(() => {})
      await store.close()
    },
  }
}

function faultOf(routers: readonly FollowedRouter[], hasNodes: boolean): SwapChain['fault'] {
  if (routers.every(({ address }) => Addresses.equal(address, Addresses.zero)))
    return 'not_deployed'
  return hasNodes ? undefined : 'no_node'
}

function faultFrom({ fault }: LogsError): SwapFault {
  return fault === 'inconsistent' || fault === 'moved' ? 'rpc_inconsistent' : 'rpc_unreachable'
}
