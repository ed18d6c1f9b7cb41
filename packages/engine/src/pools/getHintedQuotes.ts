import { type Plan, type Quote, QuoteRequest } from '@sluice/domain'
import type { Hex } from 'viem'
import type { Limits, QuoteAnswer, Settled, Wanted } from '../quotes/getQuotes.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { within } from '../support/within.js'
import type { Hints } from './createHints.js'
import { type HintSet, hintMembers, isEmpty, noHints, poolsUsed, sureOut } from './HintSet.js'

/**
 * Maximum number of node requests for a search if there seems to be no route. The rest of the budget is for quoting
 * with the hints that are found.
 */
const maxTrials = 6

type GetQuotes = (requests: readonly Wanted[]) => Promise<readonly Settled<QuoteAnswer>[]>

/**
 * Quotes each request without and with proposed hints, on one block and in one node request, and returns the better
 * quote. So a hint can never make a quote worse. If the caller names hints, only those are used. Nothing is learned from a quote
 * on a state of the caller's.
 *
 * @returns Quotes in the order of the requests.
 */
export async function getHintedQuotes(
  getQuotes: GetQuotes,
  requests: readonly QuoteRequest.QuoteRequest[],
  { hints, limits }: { hints: Hints | undefined; limits: Limits },
): Promise<readonly Settled<QuoteAnswer>[]> {
  if (!hints) return await getQuotes(requests)
  const groups = requests.map((request) =>
    QuoteRequest.hasHints(request) ? [request] : withHints(request, hints.known(hintedAs(request))),
  )
  const answers = await askAll(getQuotes, groups, hints)
  for (const [index, request] of requests.entries())
    if (answers[index]!.ok && teaches(request)) hints.improve(hintedAs(request))
  if (!answers.some((answer, index) => hasNoRoute(answer) && teaches(requests[index]!)))
    return answers
  const { budget, endsAt } = limits
  // Half of the time is kept for quotes with the hints that are found.
  const waitMs = (endsAt - performance.now()) / 2
  const found = await Promise.all(
    requests.map(async (request, index): Promise<HintSet> => {
      if (!hasNoRoute(answers[index]!) || !teaches(request)) return noHints
      return (
        (await within(
          waitMs,
          hints.propose(hintedAs(request), budget.part('trials', maxTrials)),
        )) ?? noHints
      )
    }),
  )
  if (found.every(isEmpty)) return answers
  // Quote all requests again, so that the quotes stay on one block.
  const again = requests.map((request, index) =>
    isEmpty(found[index]!) ? groups[index]! : withHints(request, found[index]!),
  )
  return await askAll(getQuotes, again, hints)
}

/** Whether the result of a request may change what is proposed: it is on the chain's state, and its hints are not the caller's. */
function teaches(request: QuoteRequest.QuoteRequest): boolean {
  return request.overrides === undefined && !QuoteRequest.hasHints(request)
}

/** Returns the request, and a trial with the hints if there are any. */
function withHints(request: QuoteRequest.QuoteRequest, hints: HintSet): readonly Wanted[] {
  if (isEmpty(hints)) return [request]
  return [request, { ...request, ...hintMembers(hints), isTrial: true }]
}

/** Quotes all groups and returns the better answer of each. */
async function askAll(
  getQuotes: GetQuotes,
  groups: readonly (readonly Wanted[])[],
  hints: Hints,
): Promise<readonly Settled<QuoteAnswer>[]> {
  const answers = (await getQuotes(groups.flat())).values()
  return groups.map((group) => {
    const [plain, trial] = group.map(() => answers.next().value!)
    if (trial === undefined) return plain!
    const isOverridden = group[0]!.overrides !== undefined
    const passed = isOverridden ? [] : refusedOf(plain!, trial, group[1]!)
    if (passed.length > 0) hints.doubt(hintedAs(group[0]!), passed)
    const best = better(plain!, trial)
    const calls = [plain!, trial].reduce((sum, each) => sum + callsOf(each), 0)
    return best.ok ? { ok: true, value: { ...best.value, calls } } : best
  })
}

function callsOf(answer: Settled<QuoteAnswer>): number {
  return answer.ok ? (answer.value.calls ?? 1) : 1
}

/** Returns the first answer unless the other one is strictly better. So useless hints are dropped. */
function better(first: Settled<QuoteAnswer>, other: Settled<QuoteAnswer>): Settled<QuoteAnswer> {
  if (!other.ok) return first
  if (!first.ok) return works(other.value.quote) ? other : first
  const [kept, tried] = [first.value.quote, other.value.quote]
  if (works(kept) !== works(tried)) return works(tried) ? other : first
  // A quote that was dry-run wins against a preview.
  if (first.value.isPreview !== other.value.isPreview) return first.value.isPreview ? other : first
  return isBetter(tried, kept) ? other : first
}

/** Whether the swap would succeed on the state that it was quoted on. */
function works({ canExecute, plan, request }: Quote.Quote): boolean {
  return canExecute || (request.overrides !== undefined && plan.verdict === 'Executable')
}

/** Whether a quote delivers more for its input, or needs less for its output, net of the cost of gas if that is known. */
function isBetter(tried: Quote.Quote, kept: Quote.Quote): boolean {
  if (tried.request.amountOut === undefined) return worthOf(tried) > worthOf(kept)
  const [cost, least] = [costOf(tried), costOf(kept)]
  return cost.in * least.out < least.in * cost.out
}

function worthOf({ gasCostOut = 0n, plan, request }: Quote.Quote): bigint {
  return sureOut(plan, request.pools ?? []) - gasCostOut
}

/** Input with the cost of gas, at the price of the trade itself, as a fraction. */
function costOf({ gasCostOut = 0n, plan, request }: Quote.Quote) {
  const out = sureOut(plan, request.pools ?? [])
  return { in: plan.route.amountIn * (out + gasCostOut), out }
}

/**
 * The trade whose hints a request takes: its own, or for an output the reverse one, because only the output tells its size.
 * Pools trade both ways, so a token that helps one direction helps the other.
 */
export function hintedAs(request: QuoteRequest.QuoteRequest): QuoteRequest.QuoteRequest {
  const { amountOut, tokenIn, tokenOut, ...rest } = request
  if (amountOut === undefined) return request
  return { ...rest, tokenIn: tokenOut, tokenOut: tokenIn, amountIn: amountOut }
}

/** Returns the hints that the route used, if its dry run failed and that of the plain route did not. */
function refusedOf(
  plain: Settled<QuoteAnswer>,
  trial: Settled<QuoteAnswer>,
  { connectors, pools = [] }: Wanted,
): readonly Hex[] {
  if (!plain.ok || !plain.value.quote.canExecute) return []
  const route = refusedRoute(trial)
  if (route === undefined) return []
  const bought = route.legs.map(({ tokenOut }) => tokenOut)
  return [...connectors.filter((hint) => bought.includes(hint)), ...poolsUsed(route, pools)]
}

function refusedRoute(trial: Settled<QuoteAnswer>): Plan.Route | undefined {
  if (!trial.ok) return trial.error instanceof QuoteError ? trial.error.route : undefined
  const { route, verdict } = trial.value.quote.plan
  return verdict === 'DryRunFailed' || verdict === 'BelowFloor' ? route : undefined
}

function hasNoRoute(answer: Settled<QuoteAnswer>): boolean {
  return !answer.ok && answer.error instanceof QuoteError && answer.error.code === 'no_route'
}
