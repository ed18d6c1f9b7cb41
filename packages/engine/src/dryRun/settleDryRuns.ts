import { type Plan, PlanCall } from '@sluice/domain'
import type { ChainState } from '../ChainState.js'
import { askPlans } from '../quotes/askPlans.js'
import type { PlanAnswer, PlanAnswers, PlanAsk } from '../quotes/PlanAnswer.js'
import { findRefusals } from './findRefusals.js'

/** Gap from which a run may have delivered less than its pools give. The gap of a taxed route is at least its tax. */
const suspiciousMicroBps = 5_000_000n
/** Minimum time left for another request to a node, in milliseconds. */
const minMs = 100

type PlanOf = Extract<PlanAnswer, { kind: 'plan' }>

/**
 * Resolves dry runs whose result is unclear, with previews of the same trades on the same block. Tells apart a token
 * that taxes the route, a trade that fails, and a run that could not be made. In the last case the preview replaces the
 * run, unless the caller requires it.
 */
export async function settleDryRuns(
  state: ChainState,
  asks: readonly PlanAsk[],
  first: PlanAnswers,
  options: askPlans.Options,
): Promise<PlanAnswers> {
  const answers = first.answers.map((answer, index) => settleAlone(asks[index]!, answer))
  const open = asks.flatMap((ask, index) => (isOpen(ask, answers[index]!) ? [index] : []))
  if (open.length === 0 || options.budgetMs < minMs) return { ...first, answers }
  const endsAt = performance.now() + options.budgetMs
  const previews = await askPlans(
    state,
    open.map((index) => previewOf(asks[index]!)),
    { ...options, mode: 'preview', pin: first.block },
  )
  const block = first.block ?? previews.block
  const failed = open.flatMap((index, place) => {
    const plan = planThatFailed(answers[index]!, previews.answers[place]!)
    // Tokens are looked at on the chain's state, which tells nothing about a state of the caller's.
    return plan === undefined || asks[index]!.overrides ? [] : [plan.route]
  })
  const budgetMs = endsAt - performance.now()
  const refusals = await findRefusals(state, failed, { ...options, block, budgetMs })
  for (const [place, index] of open.entries()) {
    const [run, preview] = [answers[index]!, previews.answers[place]!]
    const plan = planThatFailed(run, preview)
    const side = plan && refusals[failed.indexOf(plan.route)]
    answers[index] =
      plan !== undefined && side !== undefined
        ? { kind: 'refused', refused: side, plan }
        : settle(run, preview)
  }
  return {
    ...first,
    answers,
    block,
    rpcTried: first.rpcTried + previews.rpcTried,
    hosts: new Set([...first.hosts, ...previews.hosts]),
  }
}

/** Settles what needs no preview. A trial with hints is dropped if its run fails. */
function settleAlone({ isTrial, question }: PlanAsk, answer: PlanAnswer): PlanAnswer {
  if (!question.isExact || answer.kind !== 'plan') return answer
  const { plan } = answer
  if (isTrial && plan.verdict === 'DryRunFailed')
    return { kind: 'refused', refused: undefined, plan }
  return runOf(answer, 0)
}

function isOpen({ isTrial, question }: PlanAsk, answer: PlanAnswer): boolean {
  if (!question.isExact || answer.kind === 'refused') return false
  if (answer.kind !== 'plan') return !isTrial
  const { plan } = answer
  if (plan.verdict === 'DryRunFailed') return true
  return plan.verdict === 'Executable' && plan.gapMicroBps > suspiciousMicroBps
}

function previewOf({ overrides, question, quoter }: PlanAsk): PlanAsk {
  const preview = { ...question, isExact: false }
  const data = PlanCall.encode(preview)
  return { question: preview, quoter, data, ...(overrides && { overrides }) }
}

/**
 * The plan whose run failed on the live pools. If the run returned nothing, because a token can burn its gas, the plan
 * of the preview.
 */
function planThatFailed(run: PlanAnswer, preview: PlanAnswer): Plan.Plan | undefined {
  if (run.kind === 'plan') return run.plan.verdict === 'DryRunFailed' ? run.plan : undefined
  return run.kind === 'stopped' && preview.kind === 'plan' ? preview.plan : undefined
}

function settle(run: PlanAnswer, preview: PlanAnswer): PlanAnswer {
  if (run.kind === 'plan' && run.plan.verdict === 'Executable')
    return runOf(run, preview.kind === 'plan' ? taxOf(run.plan, preview.plan) : 0)
  if (run.kind === 'refused') return run
  if (run.kind === 'plan' && run.plan.verdict === 'DryRunFailed' && run.override !== undefined)
    return { kind: 'refused', refused: undefined, plan: run.plan }
  const instead = preview.kind === 'plan' ? { ...preview, dryRun: missing } : preview
  return { ...run, instead }
}

const missing = { kind: 'missing' } as const

/** Marks executable plans as run. A verdict without a route has no run. */
function runOf(answer: PlanOf, taxBps: number): PlanAnswer {
  if (answer.plan.verdict !== 'Executable') return answer
  return { ...answer, dryRun: { kind: 'done', taxBps } }
}

/** Shortfall of the run's output against the preview's, in basis points, rounded. */
function taxOf({ route }: Plan.Plan, preview: Plan.Plan): number {
  const expected = preview.route.grossOut
  if (expected <= route.grossOut) return 0
  return Math.round(Number(((expected - route.grossOut) * 1_000_000n) / expected) / 100)
}
