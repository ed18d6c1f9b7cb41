import type { ChainState } from '../ChainState.js'
import { askPlans } from './askPlans.js'
import type { PlanAnswer, PlanAnswers, PlanAsk } from './PlanAnswer.js'

/**
 * Puts some of the questions to another host, on the same block. If it does not give the same bytes, or does not stop
 * in the same way, the first answer is not to be believed by whoever wanted two.
 *
 * @param options.places Of the questions that are put again.
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

/** A stop that two hosts said is verified. */
function needsSecond(answer: PlanAnswer): boolean {
  return answer.kind === 'plan' || (answer.kind === 'stopped' && !answer.isConfirmed)
}

function isSame(answer: PlanAnswer, other: PlanAnswer): boolean {
  if (answer.kind === 'plan') return other.kind === 'plan' && other.data === answer.data
  return answer.kind === 'stopped' && other.kind === 'stopped' && other.how === answer.how
}
