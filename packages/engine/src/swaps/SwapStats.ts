import type { Address, Hex } from 'viem'
import type { SwapEventName } from './SwapEvent.js'
import type { SwapFault } from './SwapFault.js'
import type { SwapCounts } from './SwapStore.js'

/** A Router whose events are indexed. */
export type FollowedRouter = { readonly version: string; readonly address: Address }

/** A chain whose swaps are counted. */
export type SwapChain = {
  readonly chainId: number
  readonly name: string
  /** Routers of every generation that is deployed on the chain. */
  readonly routers: readonly FollowedRouter[]
  /** Number of blocks that the chain makes in about a day; `undefined` if that is not known. */
  readonly dayBlocks: number | undefined
  /** Set if nothing can be indexed. */
  readonly fault: 'not_deployed' | 'no_node' | 'index_off' | undefined
}

/** Statistics of one chain. Figures cover the blocks from `firstBlock` to `cursor`, both included. */
export type ChainSwaps = Omit<SwapChain, 'fault' | 'dayBlocks'> & {
  /** Set if there are no figures. */
  readonly fault: SwapFault | undefined
  /** Number of events by name, and of distinct traders in `Swap` events. */
  readonly figures:
    | { readonly events: Readonly<Record<SwapEventName, number>>; readonly traders: number }
    | undefined
  /** Swaps in equal ranges of `blocks` blocks, the oldest first; the last ends with `cursor`. */
  readonly daily: { readonly blocks: number; readonly fills: readonly number[] } | undefined
  readonly firstBlock: number | undefined
  readonly cursor: { readonly number: number; readonly hash: Hex } | undefined
  readonly head: number | undefined
  /** When the index last reached the latest block, in unix milliseconds. */
  readonly reachedAt: number | undefined
}

/** Counts of the swap index. */
export type SwapStats = {
  /** Time of the count, in unix milliseconds. */
  readonly measuredAt: number
  /** Whether these are the last known figures, because the store does not answer. */
  readonly isLast: boolean
  readonly chains: readonly ChainSwaps[]
  /** Number of distinct traders on all chains with figures; `undefined` if there is none. */
  readonly traders: number | undefined
}

/** Returns a chain's Routers as stored in the index. */
export function routersText({ routers }: Pick<SwapChain, 'routers'>): string {
  const addresses = routers.map(({ address }) => address.toLowerCase())
  return [...new Set(addresses)].sort().join()
}

/**
 * Combines counts and chain states into statistics.
 *
 * @param counts `undefined` if the store does not answer.
 * @param options.since Unix milliseconds. An index that was last up to date before this time has no figures.
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
  const { chainId, dayBlocks, name, routers } = chain
  const known = counts?.chains.find((each) => each.chainId === chainId)
  // If the Routers have changed, the chain is about to be read again.
  const indexed = known?.routers === routersText(chain) ? known : undefined
  const fault = chain.fault ?? (counts === undefined ? 'store_unreachable' : undefined)
  const isCurrent = fault === undefined && (indexed?.reachedAt ?? 0) >= since
  const count = (event: SwapEventName) => counts?.counts.get(chainId)?.get(event)
  const events = { Swap: 0, ExecutionProof: 0, Fee: 0, Surplus: 0 }
  for (const event of Object.keys(events) as SwapEventName[])
    events[event] = count(event)?.events ?? 0
  const fills = counts?.days.get(chainId)
  const hasDays = isCurrent && dayBlocks !== undefined && fills !== undefined
  return {
    chainId,
    name,
    routers,
    daily: hasDays ? { blocks: dayBlocks, fills } : undefined,
    fault: isCurrent ? undefined : (fault ?? known?.failure ?? 'syncing'),
    figures: isCurrent ? { events, traders: count('Swap')?.traders ?? 0 } : undefined,
    firstBlock: indexed?.cursor && indexed.firstBlock,
    cursor: indexed?.cursor,
    head: indexed?.head,
    reachedAt: indexed?.reachedAt,
  }
}
