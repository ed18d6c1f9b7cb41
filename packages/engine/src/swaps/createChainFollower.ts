import type { AskNode } from '../logs/AskNode.js'
import { followLogs } from '../logs/followLogs.js'
import { LogsError } from '../logs/LogsError.js'
import { createWindow } from '../logs/Window.js'
import { NewerSchemaError } from '../support/Schema.js'
import { beginChain } from './beginChain.js'
import { createProgress, type SwapProgress } from './Progress.js'
import { swapTopics } from './SwapEvent.js'
import type { SwapFault } from './SwapFault.js'
import { type FollowedRouter, routersText, type SwapChain } from './SwapStats.js'
import type { SwapStore } from './SwapStore.js'

/** Keeps the index of one chain up to date. */
export type ChainFollower = {
  /** Runs one round. Never fails. */
  readonly look: () => Promise<void>
  /** Progress, if this process reads the chain. */
  readonly progress: () => SwapProgress | undefined
}

/** How long a writer keeps its right after its last claim, in milliseconds. */
const claimMs = 60_000

export function createChainFollower(
  chain: SwapChain,
  parameters: createChainFollower.Parameters,
): ChainFollower {
  const { chainId } = chain
  const { nodes, now, onFailure, onProgress, signal, store, writer } = parameters
  const addresses = routersText(chain).split(',') as FollowedRouter['address'][]
  const window = createWindow()
  const progress = createProgress({ chainId, now, tell })

  const claim = () =>
    store.claim(chainId, {
      writer,
      now: now(),
      until: now() + Math.max(claimMs, parameters.minClaimMs),
    })

  /** During a long round, renews the right to write and lets other processes see the progress. */
  function tell(reached: SwapProgress): void {
    onProgress?.(reached)
    // Failures do not matter: the end of the round writes the state again.
    const ignore = () => {}
    claim().catch(ignore)
    store.note(chainId, { head: reached.head }).catch(ignore)
  }

  /** Asks the nodes in turn until one of them brings the index up to date. */
  async function follow(): Promise<void> {
    if (!(await claim())) {
      progress.forget()
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
    const firstBlock = await beginChain(chain, { ask, store, wanted: parameters.firstBlock })
    if (firstBlock === undefined) return await fail('not_deployed')
    const followed = await followLogs({
      ask,
      filter: { addresses, topics: swapTopics },
      firstBlock,
      window,
      store: store.logs(chainId),
      onProgress: progress.round(firstBlock),
    })
    progress.note(firstBlock, followed)
    const { cursor, head } = followed
    const hasReached = cursor?.hash === head.hash
    await store.note(chainId, { head: head.number, ...(hasReached && { reachedAt: now() }) })
  }

  return {
    async look() {
      try {
        await follow()
      } catch (error) {
        if (signal.aborted) return
        const fault = error instanceof LogsError ? faultOf(error) : 'store_unreachable'
        const reason = error instanceof NewerSchemaError ? error.message : undefined
        onFailure?.({ chainId, fault, ...(reason !== undefined && { reason }) })
      }
    },
    progress: progress.latest,
  }
}

export declare namespace createChainFollower {
  type Parameters = {
    store: SwapStore
    /** The chain's nodes, best first. */
    nodes: () => readonly AskNode[]
    /** First block to use instead of searching for the Routers' creation. */
    firstBlock: number | undefined
    /** Name of this process among those that share the store. */
    writer: string
    /** Minimum time that a claim lasts, in milliseconds. */
    minClaimMs: number
    /** Unix milliseconds. */
    now: () => number
    signal: AbortSignal
    onProgress?: ((progress: SwapProgress) => void) | undefined
    onFailure?:
      | ((failure: { chainId: number; fault: SwapFault; reason?: string }) => void)
      | undefined
  }
}

function faultOf({ fault }: LogsError): SwapFault {
  return fault === 'inconsistent' || fault === 'moved' ? 'rpc_inconsistent' : 'rpc_unreachable'
}
