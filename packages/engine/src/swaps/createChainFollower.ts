import type { AskNode } from '../logs/AskNode.js'
import type { Cursor } from '../logs/Block.js'
import { followLogs } from '../logs/followLogs.js'
import { LogsError } from '../logs/LogsError.js'
import { createWindow } from '../logs/Window.js'
import { findFirstBlock } from './findFirstBlock.js'
import { swapTopics } from './SwapEvent.js'
import { type FollowedRouter, routersText, type SwapChain, type SwapFault } from './SwapStats.js'
import type { SwapStore } from './SwapStore.js'

export type SwapProgress = {
  readonly chainId: number
  readonly block: number
  readonly head: number
  /** Of the way from the first block to the latest, from 0 to 1. */
  readonly part: number
}

/** Follows one chain. */
export type ChainFollower = {
  /** One look at the chain; never fails. */
  readonly look: () => Promise<void>
  /** How far it is, where this process reads the chain. */
  readonly progress: () => SwapProgress | undefined
}

/** A process that writes a chain keeps the right to for so long after its last sign of life. */
const claimMs = 60_000
const reportEveryMs = 5_000

export function createChainFollower(
  chain: SwapChain,
  parameters: createChainFollower.Parameters,
): ChainFollower {
  const { chainId } = chain
  const { nodes, now, onFailure, onProgress, signal, store, writer } = parameters
  const addresses = routersText(chain).split(',') as FollowedRouter['address'][]
  const window = createWindow()
  let progress: SwapProgress | undefined

  const claim = () =>
    store.claim(chainId, {
      writer,
      now: now(),
      until: now() + Math.max(claimMs, parameters.leastClaimMs),
    })

  /** Asks one node after the other until one of them brings the index up to date. */
  async function follow(): Promise<void> {
    if (!(await claim())) {
      progress = undefined
      return
    }
    let fault: SwapFault = 'rpc_unreachable'
    for (const ask of nodes()) {
      try {
        return await bringUp(ask)
      } catch (error) {
        if (!(error instanceof LogsError) || signal.aborted) throw error
        fault = faultOf(error)
      }
    }
    await fail(fault)
  }

  async function fail(fault: SwapFault): Promise<void> {
    onFailure?.({ chainId, fault })
    await store.note(chainId, { failure: fault })
  }

  async function bringUp(ask: AskNode): Promise<void> {
    await demandChain(ask, chainId)
    const firstBlock = await begin(ask)
    if (firstBlock === undefined) return await fail('not_deployed')
    const { cursor, head } = await followLogs({
      ask,
      filter: { addresses, topics: swapTopics },
      firstBlock,
      window,
      store: store.logs(chainId),
      onProgress: reporter(firstBlock),
    })
    if (cursor !== undefined) noteProgress(firstBlock, cursor, head)
    const hasReached = cursor?.hash === head.hash
    await store.note(chainId, { head: head.number, ...(hasReached && { reachedAt: now() }) })
  }

  /** Where the index begins; begins it anew where it is of other Routers, or of another block. */
  async function begin(ask: AskNode): Promise<number | undefined> {
    const routers = routersText(chain)
    const known = await store.chain(chainId)
    const wanted = parameters.firstBlock
    if (known?.routers === routers && known.firstBlock === (wanted ?? known.firstBlock))
      return known.firstBlock
    const firstBlock = wanted ?? (await findFirstBlock(ask, addresses))
    if (firstBlock !== undefined) await store.begin(chainId, { routers, firstBlock })
    return firstBlock
  }

  /** During a long round keeps the right to write, and lets progress be seen. */
  function reporter(firstBlock: number) {
    let toldAt = now()
    let isLong = false
    return ({ cursor, head }: { cursor: Cursor; head: Cursor }) => {
      const told = noteProgress(firstBlock, cursor, head)
      const isReached = cursor.number === head.number
      if (now() - toldAt < reportEveryMs && !(isLong && isReached)) return
      toldAt = now()
      isLong = true
      onProgress?.(told)
      // What cannot be written now is written at the end of the round, or not at all.
      const ignore = () => {}
      claim().catch(ignore)
      store.note(chainId, { head: head.number }).catch(ignore)
    }
  }

  function noteProgress(firstBlock: number, cursor: Cursor, head: Cursor): SwapProgress {
    const latest = Math.max(head.number, cursor.number)
    const part = (cursor.number - firstBlock + 1) / (latest - firstBlock + 1)
    progress = { chainId, block: cursor.number, head: latest, part }
    return progress
  }

  return {
    async look() {
      try {
        await follow()
      } catch (error) {
        if (signal.aborted) return
        const fault = error instanceof LogsError ? faultOf(error) : 'store_unreachable'
        onFailure?.({ chainId, fault })
      }
    },
    progress: () => progress,
  }
}

export declare namespace createChainFollower {
  type Parameters = {
    store: SwapStore
    /** The chain's nodes that may be asked, best first. */
    nodes: () => readonly AskNode[]
    /** Where reading begins, in place of a search for the Routers' creation. */
    firstBlock: number | undefined
    /** Name of this process among those that share the store. */
    writer: string
    /** At least so long it keeps the right to write from one look to the next. */
    leastClaimMs: number
    /** Unix milliseconds. */
    now: () => number
    signal: AbortSignal
    onProgress?: ((progress: SwapProgress) => void) | undefined
    onFailure?: ((failure: { chainId: number; fault: SwapFault }) => void) | undefined
  }
}

/** The same Routers can stand on every chain, so a mistyped setting would count another chain's swaps. */
async function demandChain(ask: AskNode, chainId: number): Promise<void> {
  const [outcome] = await ask([{ method: 'eth_chainId', params: [] }])
  if (!outcome!.ok)
    throw new LogsError('unreachable', 'The node does not say which chain it is of.')
  if (Number(outcome!.result) !== chainId)
    throw new LogsError('inconsistent', 'The node is of another chain.')
}

function faultOf({ fault }: LogsError): SwapFault {
  return fault === 'inconsistent' || fault === 'moved' ? 'rpc_inconsistent' : 'rpc_unreachable'
}
