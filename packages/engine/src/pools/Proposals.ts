import { Lru, PoolHints, type QuoteRequest } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import { maxHints } from './chooseHints.js'
import type { Packs } from './choosePools.js'
import { filterHints, type HintSet, noHints } from './HintSet.js'

/** Hints for a pair at one order of size. */
export type Proposal = {
  /** Packs of connector hints chosen from pool depths, best first. */
  readonly chosen: readonly (readonly Address[])[]
  /** Packs of pool hints chosen by what the pools hold, best first. */
  readonly pools: Packs
  /** The hints that quotes on the chain confirmed; `undefined` until they were tried. */
  improved?: HintSet | undefined
  isQueued?: boolean
  /** A swap through these hints failed. They are not used until they were tried again. */
  doubted?: readonly Hex[] | undefined
  /** Unix milliseconds. */
  readonly at: number
}

/** Proposals by pair and size. */
export type Proposals = {
  readonly of: (request: QuoteRequest.QuoteRequest, now: number) => Proposal | undefined
  readonly put: (request: QuoteRequest.QuoteRequest, proposal: Proposal) => void
  /**
   * Hints to use: the confirmed ones. Until they are known, those chosen from depths and those confirmed for similar
   * sizes.
   */
  readonly hintsFor: (request: QuoteRequest.QuoteRequest, now: number) => HintSet
  /** Marks hints whose swap failed. They are not used until they were tried again. The trade's other hints stay. */
  readonly doubt: (request: QuoteRequest.QuoteRequest, now: number, passed: readonly Hex[]) => void
  readonly forget: () => void
}

/** How long a proposal is kept, in milliseconds. Pools change slowly. */
const keptMs = 600_000
const maxProposals = 5_000
/** Neighboring size steps, nearest first: up to thirty times larger or smaller. */
const nearSizes = [1, -1, 2, -2, 3, -3] as const

export function createProposals(): Proposals {
  const proposals = Lru.create<string, Proposal>(maxProposals)
  const find = (key: string, now: number) => {
    const found = proposals.get(key)
    return found && now - found.at < keptMs ? found : undefined
  }
  return {
    of: (request, now) => find(keyOf(request, 0), now),
    put(request, proposal) {
      const key = keyOf(request, 0)
      proposals.put(key, proposal)
    },
    hintsFor(request, now) {
      const proposal = find(keyOf(request, 0), now)
      if (!proposal) return noHints
      const { chosen, doubted, improved, pools } = proposal
      if (improved) return improved
      const near = nearSizes
        .map((steps) => find(keyOf(request, steps), now)?.improved)
        .find((hints) => hints !== undefined)
      const all = {
        connectors: [...new Set([...(chosen[0] ?? []), ...(near?.connectors ?? [])])],
        // The confirmed ones first: the chosen ones alone fill a call.
        pools: [...new Set([...(near?.pools ?? []), ...(pools.held[0] ?? [])])],
      }
      const left = filterHints(all, (hint) => !doubted?.includes(hint))
      return {
        connectors: left.connectors.slice(0, maxHints),
        pools: left.pools.slice(0, PoolHints.max),
      }
    },
    doubt(request, now, passed) {
      const proposal = find(keyOf(request, 0), now)
      if (!proposal) return
      proposal.improved = undefined
      proposal.isQueued = false
      proposal.doubted = [...(proposal.doubted ?? []), ...passed]
    },
    forget: () => proposals.clear(),
  }
}

/**
 * Key of the pair, the size in half orders of magnitude, and what is excluded: useful hints depend on the size, and on the
 * venues that a route may use.
 */
function keyOf(
  { amountIn, chain, excludedVenues, gasPrice, tokenIn, tokenOut }: QuoteRequest.QuoteRequest,
  steps: number,
): string {
  const digits = `${amountIn}`
  const size = 2 * digits.length + (digits >= '3' ? 1 : 0) + steps
  return [chain.version, tokenIn.address, tokenOut.address, size, `${gasPrice}`.length]
    .concat(excludedVenues ?? [])
    .join()
}
