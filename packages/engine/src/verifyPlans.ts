import { askPlans, type PlanAnswer, type PlanAnswers, type PlanAsk } from './askPlans.js'
import type { ChainState } from './ChainState.js'

/**
 * Puts the same questions to another host, on the same block. Where it does not give the same bytes, the first answer is
 * not to be believed either.
 */
export async function verifyPlans(
  state: ChainState,
  asks: readonly PlanAsk[],
  first: PlanAnswers,
  options: askPlans.Options,
): Promise<PlanAnswers> {
  const { block, hosts } = first
  if (block === undefined) return first
  const second = await askPlans(state, asks, { ...options, pin: block, avoid: hosts })
  const answers = first.answers.map((answer, index): PlanAnswer => {
    const other = second.answers[index]!
    if (answer.kind !== 'plan') return answer
    const isSame = other.kind === 'plan' && other.data === answer.data
    return isSame ? answer : { kind: 'failed', failure: 'unverified' }
  })
  return { ...first, answers, rpcTried: first.rpcTried + second.rpcTried }
}
