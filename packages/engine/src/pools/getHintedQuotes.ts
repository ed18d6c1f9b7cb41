import type { Plan, Quote, QuoteRequest } from '@sluice/domain'
import type { Address } from 'viem'
import type { Limits, QuoteAnswer, Settled, Wanted } from '../quotes/getQuotes.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { within } from '../support/within.js'
import type { Hints } from './createHints.js'

/** Requests that go into finding a way if there seems to be none; the rest is for asking for what is found. */
const maxTrials = 6

type GetQuotes = (requests: readonly Wanted[]) => Promise<readonly Settled<QuoteAnswer>[]>

/**
 * Quotes without hints and with those that are worth a try, both on one block and in one request to a node, and gives the
 * better of each: so no hint can cost a quote anything. A caller who names connectors gets those and no others.
 *
 * @returns In the order of the requests.
 */
export async function getHintedQuotes(
  getQuotes: GetQuotes,
  requests: readonly QuoteRequest.QuoteRequest[],
  { hints, limits }: { hints: Hints | undefined; limits: Limits },
): Promise<readonly Settled<QuoteAnswer>[]> {
  if (!hints) return await getQuotes(requests)
  const groups = requests.map((request) =>
    isSteered(request) ? [request] : withHints(request, hints.known(request)),
  )
  const answers = await askAll(getQuotes, groups, hints)
  for (const [index, request] of requests.entries())
    if (answers[index]!.ok && !isSteered(request)) hints.improve(request)
  if (!answers.some(hasNoRoute)) return answers
  const { budget, endsAt } = limits
  // The other half of the time is for quotes with the hints that are found.
  const waitMs = (endsAt - performance.now()) / 2
  const found = await Promise.all(
    requests.map(async (request, index): Promise<readonly Address[]> => {
      if (!hasNoRoute(answers[index]!) || isSteered(request)) return []
      return (await within(waitMs, hints.propose(request, budget.part('trials', maxTrials)))) ?? []
    }),
  )
  if (found.every((connectors) => connectors.length === 0)) return answers
  // All again, so that the answers stay of one block.
  const again = requests.map((request, index) =>
    found[index]!.length > 0 ? withHints(request, found[index]!) : groups[index]!,
  )
  return await askAll(getQuotes, again, hints)
}

/** The request as it is, and once more with hints if there are any. */
function withHints(
  request: QuoteRequest.QuoteRequest,
  connectors: readonly Address[],
): readonly Wanted[] {
  if (connectors.length === 0) return [request]
  return [request, { ...request, connectors, isTrial: true }]
}

/** The better answer of each group. */
async function askAll(
  getQuotes: GetQuotes,
  groups: readonly (readonly Wanted[])[],
  hints: Hints,
): Promise<readonly Settled<QuoteAnswer>[]> {
  const answers = (await getQuotes(groups.flat())).values()
  return groups.map((group) => {
    const [plain, trial] = group.map(() => answers.next().value!)
    if (trial === undefined) return plain!
    const passed = refusedOf(plain!, trial, group[1]!.connectors)
    if (passed.length > 0) hints.doubt(group[0]!, passed)
    const best = better(plain!, trial)
    const calls = [plain!, trial].reduce((sum, each) => sum + callsOf(each), 0)
    return best.ok ? { ok: true, value: { ...best.value, calls } } : best
  })
}

function callsOf(answer: Settled<QuoteAnswer>): number {
  return answer.ok ? (answer.value.calls ?? 1) : 1
}

/** The first unless the other one is better in truth: hints that bring nothing are left out. */
function better(first: Settled<QuoteAnswer>, other: Settled<QuoteAnswer>): Settled<QuoteAnswer> {
  if (!other.ok) return first
  if (!first.ok) return other.value.quote.canExecute ? other : first
  const [kept, tried] = [first.value.quote, other.value.quote]
  if (kept.canExecute !== tried.canExecute) return tried.canExecute ? other : first
  // What was run on the live pools goes before what was not.
  if (first.value.isPreview !== other.value.isPreview) return first.value.isPreview ? other : first
  return worthOf(tried) > worthOf(kept) ? other : first
}

/** What is left of the output after the gas if it can be told what that costs. */
function worthOf({ gasCostOut = 0n, plan }: Quote.Quote): bigint {
  return plan.netOut - gasCostOut
}

/** The hints that the dry run passed, if it failed and that of the plain route did not. */
function refusedOf(
  plain: Settled<QuoteAnswer>,
  trial: Settled<QuoteAnswer>,
  hints: readonly Address[],
): readonly Address[] {
  if (!plain.ok || !plain.value.quote.canExecute) return []
  const bought = refusedRoute(trial)?.legs.map(({ tokenOut }) => tokenOut) ?? []
  return hints.filter((hint) => bought.includes(hint))
}

function refusedRoute(trial: Settled<QuoteAnswer>): Plan.Route | undefined {
  if (!trial.ok) return trial.error instanceof QuoteError ? trial.error.route : undefined
  const { route, verdict } = trial.value.quote.plan
  return verdict === 'DryRunFailed' || verdict === 'BelowFloor' ? route : undefined
}

function isSteered({ connectors }: QuoteRequest.QuoteRequest): boolean {
  return connectors.length > 0
}

function hasNoRoute(answer: Settled<QuoteAnswer>): boolean {
  return !answer.ok && answer.error instanceof QuoteError && answer.error.code === 'no_route'
}
