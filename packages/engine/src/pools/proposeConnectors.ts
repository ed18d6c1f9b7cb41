import { Addresses, type Plan } from '@sluice/domain'
import { type Address, getAddress } from 'viem'
import { candidatesOf, type Pair } from './candidatesOf.js'

/** Hints that one call takes. */
export const maxHints = 4
/** Calls that one proposal makes at most, beside the one without hints. */
const maxTrials = 10

/** Quotes the trade with these tokens allowed in the middle; `undefined` where there is no route. */
export type TryHints = (hints: readonly Address[]) => Promise<Plan.Plan | undefined>

/**
 * Proposes up to four tokens, beyond the chain's connector tokens, through which a trade may go.
 *
 * Candidates come from the index of pools; the Solver itself says which of them its best routes use, and how much more
 * they deliver than the route without hints. A proposal can only add candidates to a quote, so a bad one costs the gas of
 * a call and nothing else.
 */
export async function proposeConnectors(
  pair: Pair,
  tryHints: TryHints,
): Promise<readonly Address[]> {
  const packs = packed(candidatesOf(pair)).slice(0, maxTrials)
  if (packs.length === 0) return []
  const [plain, ...plans] = await Promise.all([[], ...packs].map((hints) => tryHints(hints)))
  const least = plain?.route.grossOut ?? 0n
  const trials = packs
    .map((hints, index) => ({
      gain: gainOf(plans[index], least),
      used: usedOf(plans[index], hints),
    }))
    .filter(({ gain }) => gain > 0n)
    .sort((a, b) => (a.gain < b.gain ? 1 : -1))
  // What the best trial uses stays together; tokens of the others fill up.
  const used = [...new Set(trials.flatMap((trial) => trial.used))]
  return used.slice(0, maxHints).map((token) => getAddress(token))
}

/** Groups put together, in their order, as long as a call takes them all. */
function packed(groups: readonly (readonly Address[])[]): Address[][] {
  const packs: Address[][] = []
  let pack: Address[] = []
  for (const group of groups) {
    const fresh = group.filter((token) => !pack.includes(token))
    if (pack.length + fresh.length > maxHints) {
      packs.push(pack)
      pack = [...group]
    } else pack.push(...fresh)
  }
  return pack.length > 0 ? [...packs, pack] : packs
}

function gainOf(plan: Plan.Plan | undefined, least: bigint): bigint {
  return (plan?.route.grossOut ?? 0n) - least
}

function usedOf(plan: Plan.Plan | undefined, hints: readonly Address[]): readonly Address[] {
  return hints.filter((hint) =>
    plan?.route.legs.some(({ tokenOut }) => Addresses.equal(tokenOut, hint)),
  )
}
