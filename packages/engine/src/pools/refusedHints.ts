import type { Address } from 'viem'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'

/** Runs the trade on the live pools with each of these sets of hints. */
export type RunWith = (packs: readonly (readonly Address[])[]) => Promise<readonly PlanAnswer[]>

/**
 * The hints that spoil a trade, from the answer to a dry run with all of them.
 *
 * Each is run alone, because anybody can make a token that draws a trade away and refuses, and others of the same route
 * are sound. A node's failure says nothing of a hint.
 *
 * @returns None if they fail together only; `undefined` if the run passed, or nothing is known of it.
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

/** The pools or the tokens end the run, and no node is at fault. */
function isRefusal(answer: PlanAnswer | undefined): boolean {
  if (!answer || answer.kind === 'failed') return false
  return answer.kind !== 'plan' || answer.plan.verdict !== 'Executable'
}
