import type { ChainState } from '../ChainState.js'
import { askPlans } from './askPlans.js'
import type { PlanAnswer, PlanAnswers, PlanAsk } from './PlanAnswer.js'

/**
 * Repeats some of the calls at a second host, on the same block. If it does not return the same bytes, or does not fail
 * in the same way, `verified` has a failure instead of the first answer.
 *
 * @param options.places Indexes of the calls to repeat.
 */
export async function verifyPlans(
  state: ChainState,
  asks: readonly PlanAsk[],
  first: PlanAnswers,
  options: askPlans.Options & { places: readonly number[] },
): Promise<PlanAnswers> {
  const { block, hosts } = first
  const places = options.places.filter((place) => needsSecond(first.answers[place]!))
  if (places.length === 0) return { ...first, verified: first.answers }
  const again = places.map((place) => asks[place]!)
  const second = await askPlans(state, again, { ...options, pin: block, avoid: hosts })
  const verified = [...first.answers]
  for (const [index, place] of places.entries())
    if (!isSame(first.answers[place]!, second.answers[index]!))
      verified[place] = { kind: 'failed', failure: 'unverified' }
  return { ...first, verified, rpcTried: first.rpcTried + second.rpcTried }
}

/** A failure that two hosts reported is already verified. */
function needsSecond(answer: PlanAnswer): boolean {
  return answer.kind === 'plan' || (answer.kind === 'stopped' && !answer.isConfirmed)
}

function isSame(answer: PlanAnswer, other: PlanAnswer): boolean {
  if (answer.kind === 'plan') return other.kind === 'plan' && other.data === answer.data
  return answer.kind === 'stopped' && other.kind === 'stopped' && other.how === answer.how
}
