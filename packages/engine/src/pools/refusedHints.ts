import type { Address } from 'viem'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'

/** Dry-runs the trade with each of these sets of hints. */
export type RunWith = (packs: readonly (readonly Address[])[]) => Promise<readonly PlanAnswer[]>

/**
 * Finds the hints that make a dry run fail, given the result with all of them.
 *
 * Runs each hint alone: anybody can create a token that attracts a trade and then refuses it, while other hints of the
 * route are sound. Some tokens are only reached, and refuse, beside others: if each hint alone works, adds one after the other,
 * and finds the one that makes the run fail. A node's failure says nothing about a hint.
 *
 * @param hints The best first, because of two that fail together the later one is refused.
 * @returns Empty if no hint can be blamed; `undefined` if the run passed or its result is unknown.
 */
export async function refusedHints(
  hints: readonly Address[],
  answer: PlanAnswer | undefined,
  runWith: RunWith,
): Promise<readonly Address[] | undefined> {
  if (!isRefusal(answer)) return undefined
  const alone = await runWith(hints.map((hint) => [hint]))
  const refused = hints.filter((_, index) => isRefusal(alone[index]))
  return refused.length > 0 ? refused : await refusedBeside(hints, runWith)
}

/** Returns the first hint that makes the run fail beside those before it. */
async function refusedBeside(
  hints: readonly Address[],
  runWith: RunWith,
): Promise<readonly Address[]> {
  if (hints.length < 2) return []
  // All of them are known to fail, and the first one alone to work.
  const packs = hints.slice(1, -1).map((_, index) => hints.slice(0, index + 2))
  const answers = packs.length > 0 ? await runWith(packs) : []
  const first = answers.findIndex(isRefusal)
  return [hints[first < 0 ? hints.length - 1 : first + 1]!]
}

/** Whether the run failed because of pools or tokens, and not because of a node. */
function isRefusal(answer: PlanAnswer | undefined): boolean {
  if (!answer || answer.kind === 'failed') return false
  return answer.kind !== 'plan' || answer.plan.verdict !== 'Executable'
}
