import type { Address, Hex } from 'viem'
import type { SwapEventName } from './SwapEvent.js'
import type { SwapFault } from './SwapFault.js'
import type { SwapCounts } from './SwapStore.js'

/** A Router whose events are indexed. */
export type FollowedRouter = { readonly version: string; readonly address: Address }

/** A chain whose swaps are to be counted. */
export type SwapChain = {
  readonly chainId: number
  readonly name: string
  /** Of every generation that is deployed there. */
  readonly routers: readonly FollowedRouter[]
  /** Set if nothing can be indexed. */
  readonly fault: 'not_deployed' | 'no_node' | 'index_off' | undefined
}

/** What is known of one chain. Figures are of the blocks from `firstBlock` to `cursor`, both included. */
export type ChainSwaps = Omit<SwapChain, 'fault'> & {
  /** Set if there are no figures. */
  readonly fault: SwapFault | undefined
  /** Events by name, and the different traders of its swaps. */
  readonly figures:
    | { readonly events: Readonly<Record<SwapEventName, number>>; readonly traders: number }
    | undefined
  readonly firstBlock: number | undefined
  readonly cursor: { readonly number: number; readonly hash: Hex } | undefined
  readonly head: number | undefined
  /** Unix milliseconds when the index last was at the latest block. */
  readonly reachedAt: number | undefined
}

/** Counts of the swap index. */
export type SwapStats = {
  /** Time of the count, in unix milliseconds. */
  readonly measuredAt: number
  /** The store does not answer now: these are the last figures. */
  readonly isLast: boolean
  readonly chains: readonly ChainSwaps[]
  /** Different traders of all chains that have figures, each counted once; `undefined` if none has. */
  readonly traders: number | undefined
}

/** How a chain's Routers are written down in the store. */
export function routersText({ routers }: Pick<SwapChain, 'routers'>): string {
  const addresses = routers.map(({ address }) => address.toLowerCase())
  return [...new Set(addresses)].sort().join()
}

/**
 * Puts together what is told of the chains.
 *
 * @param counts Undefined if the store does not answer.
 * @param options.since Unix milliseconds; an index that was last up to date before has no figures.
 */
export function statsOf(
  chains: readonly SwapChain[],
  counts: SwapCounts | undefined,
  options: { measuredAt: number; isLast: boolean; since: number },
): SwapStats {
  const { isLast, measuredAt, since } = options
  const told = chains.map((chain) => chainSwapsOf(chain, counts, since))
  const hasFigures = told.some(({ figures }) => figures !== undefined)
  return { measuredAt, isLast, chains: told, traders: hasFigures ? counts?.traders : undefined }
}

function chainSwapsOf(chain: SwapChain, counts: SwapCounts | undefined, since: number): ChainSwaps {
  const { chainId, name, routers } = chain
  const known = counts?.chains.find((each) => each.chainId === chainId)
  // A chain of other Routers is about to be read anew.
  const indexed = known?.routers === routersText(chain) ? known : undefined
  const fault = chain.fault ?? (counts === undefined ? 'store_unreachable' : undefined)
  const isCurrent = fault === undefined && (indexed?.reachedAt ?? 0) >= since
  const count = (event: SwapEventName) => counts?.counts.get(chainId)?.get(event)
  const events = { Swap: 0, ExecutionProof: 0, Fee: 0, Surplus: 0 }
  for (const event of Object.keys(events) as SwapEventName[])
    events[event] = count(event)?.events ?? 0
  return {
    chainId,
    name,
    routers,
    fault: isCurrent ? undefined : (fault ?? known?.failure ?? 'syncing'),
    figures: isCurrent ? { events, traders: count('Swap')?.traders ?? 0 } : undefined,
    firstBlock: indexed?.cursor && indexed.firstBlock,
    cursor: indexed?.cursor,
    head: indexed?.head,
    reachedAt: indexed?.reachedAt,
  }
}
