import type { Address } from 'viem'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'

/** Dry-runs the trade with each of these sets of hints. */
export type RunWith = (packs: readonly (readonly Address[])[]) => Promise<readonly PlanAnswer[]>

/**
 * Finds the hints that make a dry run fail, given the result with all of them.
 *
 * Runs each hint alone: anybody can create a token that attracts a trade and then refuses it, while other hints of the
 * route are sound. A node's failure says nothing about a hint.
 *
 * @returns Empty if each hint alone works; `undefined` if the run passed or its result is unknown.
 */
export async function refusedHints(
  hints: readonly Address[],
  answer: PlanAnswer | undefined,
  runWith: RunWith,
): Promise<readonly Address[] | undefined> {
  if (!isRefusal(answer)) return undefined
  const alone = await runWith(hints.map((hint) => [hint]))
  return hints.filter((_, index) => isRefusal(alone[index]))
}

/** Whether the run failed because of pools or tokens, and not because of a node. */
function isRefusal(answer: PlanAnswer | undefined): boolean {
  if (!answer || answer.kind === 'failed') return false
  return answer.kind !== 'plan' || answer.plan.verdict !== 'Executable'
}
