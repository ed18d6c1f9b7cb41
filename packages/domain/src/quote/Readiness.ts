import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Step, StepResult } from '../swap/Rehearsal.js'
import * as Reverts from '../swap/Reverts.js'
import * as SwapCall from '../swap/SwapCall.js'
import * as SwapGas from '../swap/SwapGas.js'
import * as SwapWay from '../swap/SwapWay.js'
import type { Issues } from './Issues.js'
import type { Quote } from './Quote.js'
import type { Call, Purpose } from './Transactions.js'

/** Address that names the native coin. */
export const nativeCoin: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** What was read of the sender at the quote's block. */
export type SenderState = {
  /** Of the token that is sold, or of the native coin if that is. */
  readonly balance: bigint
  /** The recipient's balance of the output token; absent if the token does not report it. */
  readonly received?: bigint | undefined
  /** What the sender holds of the wrapped coin already, if they sell coin; absent if the token does not say. */
  readonly wrapped?: bigint | undefined
  /** Absent if nothing is to be allowed. */
  readonly allowance?: bigint | undefined
  /** The swap alone, as the sender would send it now; absent if it could not be asked. */
  readonly direct?: { readonly isOk: boolean; readonly answer: Hex } | undefined
  /** The calls in order, with and without a reset of the allowance; absent if they could not be made. */
  readonly plain?: readonly StepResult[] | undefined
  readonly reset?: readonly StepResult[] | undefined
  /** The rehearsals had the input, whatever the sender holds. */
  readonly isFunded: boolean
}

/** A step of the rehearsal and its purpose. */
export type Rehearsed = Step & { readonly purpose: Purpose }

/** The sender's calls, and how they went if they could be made. */
type Rehearsal = {
  readonly steps: readonly Rehearsed[]
  readonly results: readonly StepResult[] | undefined
}

/** What the sender pays with. */
export function paidOf({ request }: Quote): Address {
  return request.tokenIn.isNative ? nativeCoin : request.tokenIn.address
}

const depositData: Hex = '0xd0e30db0'

/** The sender's transactions up to the swap, as if nothing were allowed or wrapped yet. */
export function stepsOf(quote: Quote, options: { resets: boolean }): readonly Rehearsed[] {
  const { approval, plan, request, terms } = quote
  const { router } = request.chain.contracts
  const { amountIn } = request
  const token = request.tokenIn.address
  const way = SwapWay.of(request)
  const allow = (spender: Address, amount: bigint, purpose: Purpose) => ({
    purpose,
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  })
  const steps: Rehearsed[] = []
  if (request.tokenIn.isNative && way !== 'nativeIn')
    steps.push({ purpose: 'wrap', to: token, value: amountIn, data: depositData })
  if (approval !== undefined && options.resets)
    steps.push(allow(approval.spender, 0n, 'reset_allowance'))
  if (approval !== undefined) steps.push(allow(approval.spender, amountIn, 'approve'))
  // A signature cannot be had here: the run has an allowance in its place.
  const isSigned = way === 'permit' || way === 'permit2'
  const { route } = plan
  const ran: SwapCall.UnsignedWay = isSigned ? 'allowance' : way
  const data = SwapCall.encode({ route, way: ran, ...terms! })
  if (isSigned) steps.push(allow(router, amountIn, 'swap'))
  return [...steps, { purpose: 'swap', to: router, value: SwapCall.coinOf(way, route), data }]
}

/**
 * What stands between a sender and the swap, and the transactions that remain. A transaction is given alone only if it
 * can be sent as it is.
 */
export function apply(quote: Quote, state: SenderState): Quote {
  const { amountIn } = quote.request
  const { approval, tx } = quote
  const lacksAllowance = approval !== undefined && (state.allowance ?? 0n) < amountIn
  const lacksBalance = state.balance < amountIn
  const resets = !isWhole(state.plain) && isWhole(state.reset)
  const results = resets ? state.reset : state.plain
  const steps = stepsOf(quote, { resets })
  const wraps = steps[0]?.purpose === 'wrap'
  const isReady = state.direct?.isOk === true
  const simulation =
    isReady && !wraps
      ? undefined
      : failureOf(steps, results, { state, isMissing: lacksAllowance || lacksBalance || wraps })
  const issues: Issues = {
    ...(lacksAllowance && {
      allowance: {
        spender: approval.spender,
        actual: state.allowance ?? 0n,
        expected: amountIn,
      },
    }),
    ...(lacksBalance && {
      balance: { token: paidOf(quote), actual: state.balance, expected: amountIn },
    }),
    ...(simulation && { simulation }),
  }
  const gas = gasOf(quote, steps, results)
  const measured = tx && { ...tx, gas }
  const isPossible = !lacksBalance && simulation === undefined
  const calls = isPossible
    ? callsOf(quote, steps, results, { lacksAllowance, resets, gas })
    : undefined
  const reason = reasonOf(issues, {
    isSigned: quote.permit !== undefined,
    wraps: wraps && !isReady,
  })
  return {
    ...quote,
    estGas: estimateFor(quote, state, { steps, results }),
    issues,
    calls,
    tx: reason === undefined ? measured : undefined,
    txReason: reason ?? quote.txReason,
    permit: isPossible ? quote.permit : undefined,
  }
}

/**
 * The estimate of gas for this sender and recipient. A recipient's first units of a token cost more, and emptying the sender's
 * balance or allowance gives a refund. Refunds are capped, so the estimate is never below the rehearsal's measured gas less
 * the capped refund. A taxed token writes more slots than the plan's estimate knows, which the rehearsal has measured.
 */
function estimateFor(quote: Quote, state: SenderState, rehearsal: Rehearsal): bigint {
  const { amountIn, tokenIn } = quote.request
  const way = SwapWay.of(quote.request)
  const usesUpBalance = tokenIn.isNative ? state.wrapped === 0n : state.balance === amountIn
  const usesUpAllowance = state.allowance !== undefined && state.allowance <= amountIn
  const balanceRefund = usesUpBalance && way !== 'nativeIn' ? SwapGas.emptiedGas : 0n
  const first = state.received === 0n ? SwapGas.firstUnits(way) : 0n
  const known =
    quote.estGas + first - balanceRefund - (usesUpAllowance ? SwapGas.wholeAllowanceGas : 0n)
  const burned = burnedOf(state, amountIn, rehearsal)
  if (burned === undefined) return known
  const isTaxed = quote.warnings.some(({ code }) => code === 'taxed_token')
  const own = balanceRefund + (usesUpAllowance ? SwapGas.emptiedGas : 0n)
  const refunds = isTaxed ? SwapGas.routeRefunds(quote.plan) + own : burned
  const measured = SwapGas.afterRefunds(burned, refunds)
  return known > measured ? known : measured
}

/** What the swap would burn if it were sent alone, by its rehearsal; `undefined` if that says nothing. */
function burnedOf(
  { allowance }: SenderState,
  amountIn: bigint,
  { results, steps }: Rehearsal,
): bigint | undefined {
  const swap = results?.at(-1)
  if (swap?.isOk !== true) return undefined
  const { data, value } = steps.at(-1)!
  const { account, slot, write } = SwapGas.warmed
  const before = steps.slice(0, -1).map(({ purpose }) => purpose)
  let burned = SwapGas.burnedOfMeasured({ callGas: swap.gas, data, value })
  if (before.length > 0) burned += account
  if (before.includes('wrap')) burned += slot + write
  if (before.some((purpose) => purpose !== 'wrap')) burned += slot
  // An approval writes nothing if the allowance is that amount already.
  return allowance === undefined || allowance === amountIn ? burned : burned + write
}

function isWhole(results: readonly StepResult[] | undefined): boolean {
  return results?.every(({ isOk }) => isOk) ?? false
}

function reasonOf(
  { allowance, balance, simulation }: Issues,
  { isSigned, wraps }: { isSigned: boolean; wraps: boolean },
): string | undefined {
  if (balance !== undefined) return 'The sender holds less than `amountIn`; see `issues.balance`.'
  if (simulation !== undefined) return 'The swap would revert; see `issues.simulation`.'
  if (allowance !== undefined && isSigned)
    return 'The allowance is missing: send `calls`, then sign `permit`; the signature pays for the swap.'
  if (allowance !== undefined)
    return 'The allowance is missing: send `calls` in their order, the swap is the last of them.'
  return wraps
    ? 'The coin has to be wrapped first: send `calls` in their order, the swap is the last of them.'
    : undefined
}

/** The first thing that fails if nothing is missing; `undefined` if nothing does, or it cannot be told. */
function failureOf(
  steps: readonly Rehearsed[],
  results: readonly StepResult[] | undefined,
  { isMissing, state }: { isMissing: boolean; state: SenderState },
): Issues['simulation'] {
  if (!isMissing && state.direct !== undefined) return nameOf('swap', state.direct.answer)
  // Without the input nothing is learned from a run that fails.
  if (results === undefined || !(state.isFunded || !isMissing)) return undefined
  const failed = results.findIndex(({ isOk }) => !isOk)
  if (failed === -1) return undefined
  return nameOf(steps[failed]!.purpose, results[failed]!.answer)
}

function nameOf(purpose: Purpose, answer: Hex): NonNullable<Issues['simulation']> {
  const { args, meaning, name } = Reverts.read(answer)
  const said = name === 'Error' && typeof args[0] === 'string' ? plainText(args[0]) : undefined
  const code = name === 'an unknown error' ? 'UnknownError' : name
  const why = meaning ?? (said === undefined ? '' : `It says "${said}".`)
  return { code, error: `The ${wordOf[purpose]} would revert with ${name}. ${why}`.trim() }
}

const wordOf: Readonly<Record<Purpose, string>> = {
  wrap: 'wrapping',
  reset_allowance: 'reset of the allowance',
  approve: 'approval',
  swap: 'swap',
}

/** Words of a stranger's contract, cut to what can be shown anywhere. */
function plainText(text: string): string {
  return text.replaceAll(/[^ A-Za-z0-9:_.-]/g, '?').slice(0, 64)
}

/** The limit of the swap: the higher of what follows from the plan and of what was measured. */
function gasOf(
  quote: Quote,
  steps: readonly Rehearsed[],
  results: readonly StepResult[] | undefined,
): bigint {
  const limit = SwapGas.limit(quote.plan, SwapWay.of(quote.request))
  const swap = results?.at(-1)
  if (swap?.isOk !== true) return limit
  const { data } = steps.at(-1)!
  const legs = quote.plan.route.legs.length
  const callGas = swap.gas + warmGas
  const measured = SwapGas.limitOfMeasured({ callGas, data, legs })
  if (measured < limit) return limit
  return measured
}

/** What the steps before have read already, and the swap alone has not: accounts and slots of the token. */
const warmGas = 12_000n
/** Limit of a call that could not be measured. */
const unmeasuredGas = 120_000n

function callsOf(
  { tx }: Quote,
  steps: readonly Rehearsed[],
  results: readonly StepResult[] | undefined,
  options: { lacksAllowance: boolean; resets: boolean; gas: bigint },
): readonly Call[] {
  const calls = steps.slice(0, -1).flatMap(({ data, purpose, to, value }, index): Call[] => {
    const isNeeded = purpose === 'wrap' || (purpose !== 'swap' && options.lacksAllowance)
    if (!isNeeded) return []
    const result = results?.[index]
    const gas = result?.isOk
      ? SwapGas.limitOfMeasured({ callGas: result.gas + warmGas, data, legs: 1 })
      : unmeasuredGas
    return [{ purpose, to, data, value, gas }]
  })
  if (tx === undefined) return calls
  const { data, to, value } = tx
  return [...calls, { purpose: 'swap', to, data, value, gas: options.gas }]
}
