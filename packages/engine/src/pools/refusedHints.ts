import type { Plan } from '@sluice/domain'
import type { Address } from 'viem'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'

/** A trade with a set of hints: what its route is quoted to pay, and what it paid in a dry run. Both are of one block. */
export type HintRun = {
  readonly quoted: PlanAnswer | undefined
  readonly run: PlanAnswer | undefined
}

/** Quotes and dry-runs the trade with each of these sets of hints. */
export type RunWith = (packs: readonly (readonly Address[])[]) => Promise<readonly HintRun[]>

/** A dry run that pays less than its quote by this part is short: one basis point. */
const shortParts = 10_000n

/**
 * Finds the hints that make a dry run fail or pay less than quoted, given the results with all of them and without any.
 *
 * Runs each hint alone: anybody can create a token that attracts a trade and then refuses or taxes it, while other hints of
 * the route are sound. Some tokens are only reached, and refuse, beside others: if each hint alone works, adds one after the
 * other, and finds the one that makes the run fail. A node's failure says nothing about a hint.
 *
 * @param hints The best first, because of two that fail together the later one is refused.
 * @returns Empty if no hint can be blamed; `undefined` if the run passed or its result is unknown.
 */
export async function refusedHints(
  hints: readonly Address[],
  { plain, runWith, whole }: { plain: HintRun; whole: HintRun | undefined; runWith: RunWith },
): Promise<readonly Address[] | undefined> {
  const isRefused = (hinted: HintRun | undefined) =>
    isRefusal(hinted?.run) || isShort(hinted, plain)
  if (!isRefused(whole)) return undefined
  const alone = await runWith(hints.map((hint) => [hint]))
  const refused = hints.filter((_, index) => isRefused(alone[index]))
  return refused.length > 0 ? refused : await refusedBeside(hints, runWith, isRefused)
}

/** Returns the first hint that makes the run fail beside those before it. */
async function refusedBeside(
  hints: readonly Address[],
  runWith: RunWith,
  isRefused: (hinted: HintRun | undefined) => boolean,
): Promise<readonly Address[]> {
  if (hints.length < 2) return []
  // All of them are known to fail, and the first one alone to work.
  const packs = hints.slice(1, -1).map((_, index) => hints.slice(0, index + 2))
  const runs = packs.length > 0 ? await runWith(packs) : []
  const first = runs.findIndex(isRefused)
  return [hints[first < 0 ? hints.length - 1 : first + 1]!]
}

/** Whether the run failed because of pools or tokens, and not because of a node. */
function isRefusal(answer: PlanAnswer | undefined): boolean {
  if (!answer || answer.kind === 'failed') return false
  return answer.kind !== 'plan' || answer.plan.verdict !== 'Executable'
}

/**
 * Whether the run paid less than quoted on the same route. What the trade's own tokens take from transfers, the run without hints
 * shows. Of another route nothing can be said: a run leaves less gas for the search than a quote.
 */
function isShort(hinted: HintRun | undefined, plain: HintRun): boolean {
  const [quoted, run] = [planOf(hinted?.quoted), planOf(hinted?.run)]
  if (!quoted || !run || legsOf(quoted) !== legsOf(run)) return false
  const [plainQuoted, plainRun] = [planOf(plain.quoted), planOf(plain.run)]
  if (!plainQuoted || !plainRun) return false
  const promised = (quoted.netOut * plainRun.netOut) / plainQuoted.netOut
  return run.netOut < promised - promised / shortParts
}

function planOf(answer: PlanAnswer | undefined): Plan.Plan | undefined {
  const isPlan = answer?.kind === 'plan' && answer.plan.verdict === 'Executable'
  return isPlan ? answer.plan : undefined
}

function legsOf({ route }: Plan.Plan): string {
  return route.legs
    .map(({ key, pool, share, tokenOut, venue }) => [venue, pool, key, share, tokenOut].join())
    .join()
}
