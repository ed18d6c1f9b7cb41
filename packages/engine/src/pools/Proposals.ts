import { Lru, type QuoteRequest } from '@sluice/domain'
import type { Address } from 'viem'
import { maxHints } from './chooseHints.js'

/** Connector hints of a trade of some size. */
export type Proposal = {
  /** What the depths of pools tell, in packs, the best first. */
  readonly chosen: readonly (readonly Address[])[]
  /** What the chain said of them; unknown until it was asked. */
  improved?: readonly Address[] | undefined
  isQueued?: boolean
  /** A swap through these failed: none is used until the chain was asked again. */
  doubted?: readonly Address[] | undefined
  /** Unix milliseconds. */
  readonly at: number
}

/** What is proposed for trades, by pair and size. */
export type Proposals = {
  readonly of: (request: QuoteRequest.QuoteRequest, now: number) => Proposal | undefined
  readonly put: (request: QuoteRequest.QuoteRequest, proposal: Proposal) => void
  /** What to ask with: what the chain confirmed; until then what depths tell, and what it confirmed for nearby sizes. */
  readonly hintsFor: (request: QuoteRequest.QuoteRequest, now: number) => readonly Address[]
  /** A swap through these hints failed: they wait for the chain to be asked again, and the trade's other hints stay. */
  readonly doubt: (
    request: QuoteRequest.QuoteRequest,
    now: number,
    passed: readonly Address[],
  ) => void
  readonly forget: () => void
}

/** How long a proposal holds: pools come and go slowly. */
const keptMs = 600_000
const maxProposals = 5_000
/** Sizes on either side that count as neighbouring: up to thirty times as much. */
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

/** By pair and half an order of magnitude: what is worth passing through depends on the size. */
function keyOf(
  { amountIn, chain, gasPrice, tokenIn, tokenOut }: QuoteRequest.QuoteRequest,
  steps: number,
): string {
  const digits = `${amountIn}`
  const size = 2 * digits.length + (digits >= '3' ? 1 : 0) + steps
  return [chain.version, tokenIn.address, tokenOut.address, size, `${gasPrice}`.length].join()
}
