import type { Plan } from '@sluice/domain'
import { type Address, getAddress } from 'viem'
import { candidatesOf, type Pair } from './candidatesOf.js'
import { maxHints } from './chooseHints.js'

/** Calls of the first look at the candidates, at most, beside the one without hints; fewer if some were chosen. */
const maxTrials = { chosen: 4, unknown: 10 } as const
/** Rounds in which a token of the best hints makes room for another one, and how many others each tries. */
const swapRounds = 2
const swapsPerRound = 6

/** Quotes the trade with these tokens allowed in the middle; `undefined` if there is no route. */
export type TryHints = (hints: readonly Address[]) => Promise<Plan.Plan | undefined>

/** What some hints have brought. */
type Trial = {
  readonly hints: readonly Address[]
  /** Output beyond that without hints. */
  readonly gain: bigint
  /** Those of the hints that the route passes, the part of the trade that passes each falling. */
  readonly used: readonly Address[]
}

/**
 * Proposes up to four tokens, beyond the chain's connector tokens, through which a trade may go.
 *
 * Candidates come from the index of pools; the Solver itself says which of them its best routes use, and how much more
 * they deliver than the route without hints. As long as it pays, the one that the best route uses least makes room for
 * another. A proposal can only add candidates to a quote, so a bad one costs the gas of a call and nothing else.
 *
 * @param options.chosen Hints that were chosen by depth, which come first.
 */
export async function proposeConnectors(
  pair: Pair,
  tryHints: TryHints,
  options: proposeConnectors.Options = {},
): Promise<readonly Address[]> {
  const { chosen = [], isBanned = () => false, worthOf = outOf } = options
  const known = candidatesOf(pair).filter((group) => !group.some(isBanned))
  const candidates = [...chosen, ...known]
  const most = chosen.length > 0 ? maxTrials.chosen : maxTrials.unknown
  const packs = [...chosen, ...packed(known)].slice(0, most)
  if (packs.length === 0) return []
  const [plain, ...plans] = await Promise.all([[], ...packs].map((hints) => tryHints(hints)))
  const least = plain ? worthOf(plain) : 0n
  const measure = (hints: readonly Address[], plan: Plan.Plan | undefined): Trial => ({
    hints,
    gain: (plan ? worthOf(plan) : 0n) - least,
    used: usedOf(plan, hints),
  })
  let trials = ranked(packs.map((hints, index) => measure(hints, plans[index])))
  for (let round = 0; round < swapRounds && trials.length > 0; round++) {
    const best = trials[0]!.gain
    const swaps = swapsOf(trials, candidates.flat())
    const swapped = await Promise.all(swaps.map((hints) => tryHints(hints)))
    trials = ranked([...trials, ...swaps.map((hints, index) => measure(hints, swapped[index]))])
    if (trials[0]!.gain === best) break
  }
  return filled(trials).map((token) => getAddress(token))
}

export declare namespace proposeConnectors {
  type Options = {
    chosen?: readonly (readonly Address[])[] | undefined
    /** Tokens that no route may pass. */
    isBanned?: ((token: Address) => boolean) | undefined
    /** What a plan is worth to the trader. @default its gross output */
    worthOf?: ((plan: Plan.Plan) => bigint) | undefined
  }
}

function outOf({ route }: Plan.Plan): bigint {
  return route.grossOut
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

/** Those that brought something, the best first. */
function ranked(trials: readonly Trial[]): Trial[] {
  return trials.filter(({ gain }) => gain > 0n).sort((a, b) => (a.gain < b.gain ? 1 : -1))
}

/** What the best trial uses stays together; tokens of the others fill up. */
function filled(trials: readonly Trial[]): readonly Address[] {
  return [...new Set(trials.flatMap(({ used }) => used))].slice(0, maxHints)
}

/** Hints not tried yet: each has one more token than the best, in the place of the one that is used least. */
function swapsOf(trials: readonly Trial[], candidates: readonly Address[]): Address[][] {
  const best = filled(trials)
  const kept = best.slice(0, maxHints - 1)
  const usedElsewhere = trials.flatMap(({ used }) => used)
  const others = [...new Set([...usedElsewhere, ...candidates])].filter(
    (token) => !kept.includes(token),
  )
  const tried = new Set(trials.map(({ hints }) => keyOf(hints)))
  return others
    .map((token) => [...kept, token])
    .filter((hints) => !tried.has(keyOf(hints)))
    .slice(0, swapsPerRound)
}

function keyOf(hints: readonly Address[]): string {
  return [...hints].sort().join()
}

function usedOf(plan: Plan.Plan | undefined, hints: readonly Address[]): readonly Address[] {
  if (!plan) return []
  const parts = partsOf(plan)
  return hints
    .map((hint) => ({ hint, part: parts.get(hint.toLowerCase()) ?? 0 }))
    .filter(({ part }) => part > 0)
    .sort((a, b) => b.part - a.part)
    .map(({ hint }) => hint)
}

/** The part of the trade that passes each token, as if swaps kept all value; tokens in lower case. */
function partsOf({ route }: Plan.Plan): ReadonlyMap<string, number> {
  const held = new Map([[route.tokenIn.toLowerCase(), 1]])
  const passed = new Map<string, number>()
  for (const { share, tokenIn, tokenOut } of route.legs) {
    const [from, to] = [tokenIn.toLowerCase(), tokenOut.toLowerCase()]
    const holding = held.get(from) ?? 0
    const part = (holding * Number(share)) / 1e18
    held.set(from, holding - part)
    held.set(to, (held.get(to) ?? 0) + part)
    passed.set(to, (passed.get(to) ?? 0) + part)
  }
  return passed
}
