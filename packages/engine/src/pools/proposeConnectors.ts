import type { Plan } from '@sluice/domain'
import { type Address, getAddress } from 'viem'
import { candidatesOf, type Pair } from './candidatesOf.js'
import { maxHints } from './chooseHints.js'

/** Maximum number of calls in the first round, besides the one without hints; fewer if hints were chosen by depth. */
const maxTrials = { chosen: 4, unknown: 10 } as const
/** Number of rounds that replace the least used hint, and of replacements tried in each. */
const swapRounds = 2
const swapsPerRound = 6
/** Maximum number of candidates that are also tried alone: beside others, a call may lack the gas for a good one. */
const maxAlone = 6

/** Quotes the trade with these hints; `undefined` if there is no route. */
export type TryHints = (hints: readonly Address[]) => Promise<Plan.Plan | undefined>

/** The result of quoting with a set of hints. */
type Trial = {
  readonly hints: readonly Address[]
  /** Increase of the output over the quote without hints. */
  readonly gain: bigint
  /** The hints that the route uses, in descending order of their part of the trade. */
  readonly used: readonly Address[]
}

/**
 * Proposes up to four hints: tokens besides the chain's connector tokens that the trade may pass through.
 *
 * Takes candidates from the pool index, quotes with them, together and alone, and keeps those that the best routes use.
 * Replaces the least used hint as long as the output increases. Hints only add candidates, so a bad one costs the gas of a
 * call and nothing else.
 *
 * @param options.chosen Packs of hints chosen by depth. They are tried first.
 */
export async function proposeConnectors(
  pair: Pair,
  tryHints: TryHints,
  options: proposeConnectors.Options = {},
): Promise<readonly Address[]> {
  const { isBanned = () => false, worthOf = outOf } = options
  // In one notation, so that no token takes the places of two.
  const chosen = (options.chosen ?? []).map((pack) => pack.map((token) => getAddress(token)))
  const known = candidatesOf(pair)
    .filter((group) => !group.some(isBanned))
    .map((group) => group.map((token) => getAddress(token)))
  const candidates = [...chosen, ...known]
  const most = chosen.length > 0 ? maxTrials.chosen : maxTrials.unknown
  const packs = [...chosen, ...packed(known)].slice(0, most)
  if (packs.length === 0) return []
  const alone = [...new Set(packs.filter((pack) => pack.length > 1).flat())].slice(0, maxAlone)
  packs.push(...alone.map((token) => [token]))
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
  const [best] = trials
  if (best === undefined) return []
  const together = filled(trials)
  if (together.length === best.used.length) return best.used
  // More hints take more gas, so that they can hide what fewer find.
  return measure(together, await tryHints(together)).gain < best.gain ? best.used : together
}

export declare namespace proposeConnectors {
  type Options = {
    chosen?: readonly (readonly Address[])[] | undefined
    /** Tokens that no route may use. */
    isBanned?: ((token: Address) => boolean) | undefined
    /** Value of a plan to the trader. @default its gross output */
    worthOf?: ((plan: Plan.Plan) => bigint) | undefined
  }
}

function outOf({ route }: Plan.Plan): bigint {
  return route.grossOut
}

/** Packs groups, in order, into sets that fit into one call. */
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

/** Trials that increased the output, best first; of equal ones the earlier first. */
function ranked(trials: readonly Trial[]): Trial[] {
  return trials
    .filter(({ gain }) => gain > 0n)
    .sort((a, b) => Number(b.gain > a.gain) - Number(b.gain < a.gain))
}

/** The tokens of the best trial, filled up with tokens of the others. */
function filled(trials: readonly Trial[]): readonly Address[] {
  return [...new Set(trials.flatMap(({ used }) => used))].slice(0, maxHints)
}

/** Sets of hints not tried yet: the best set with its least used token replaced by another one. */
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

/** Part of the trade that passes each token, assuming that swaps keep all value; tokens in lower case. */
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
