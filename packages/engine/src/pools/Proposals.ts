import { Lru, type QuoteRequest } from '@sluice/domain'
import type { Address } from 'viem'
import { maxHints } from './chooseHints.js'

/** Connector hints for a pair at one order of size. */
export type Proposal = {
  /** Packs of hints chosen from pool depths, best first. */
  readonly chosen: readonly (readonly Address[])[]
  /** The hints that quotes on the chain confirmed; `undefined` until they were tried. */
  improved?: readonly Address[] | undefined
  isQueued?: boolean
  /** A swap through these hints failed. They are not used until they were tried again. */
  doubted?: readonly Address[] | undefined
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
  readonly hintsFor: (request: QuoteRequest.QuoteRequest, now: number) => readonly Address[]
  /** Marks hints whose swap failed. They are not used until they were tried again. The trade's other hints stay. */
  readonly doubt: (
    request: QuoteRequest.QuoteRequest,
    now: number,
    passed: readonly Address[],
  ) => void
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
      if (!proposal) return []
      const { chosen, doubted, improved } = proposal
      if (improved) return improved
      const near = nearSizes
        .map((steps) => find(keyOf(request, steps), now)?.improved)
        .find((hints) => hints !== undefined)
      return [...new Set([...(chosen[0] ?? []), ...(near ?? [])])]
        .filter((token) => !doubted?.includes(token))
        .slice(0, maxHints)
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
