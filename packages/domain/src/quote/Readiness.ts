import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Step, StepResult } from '../swap/Rehearsal.js'
import * as Reverts from '../swap/Reverts.js'
import * as SwapCall from '../swap/SwapCall.js'
import * as SwapGas from '../swap/SwapGas.js'
import * as SwapWay from '../swap/SwapWay.js'
import type { Issues } from './Issues.js'
import type { Quote } from './Quote.js'
import type { Call, Purpose } from './Transactions.js'

/** Address that stands for the native coin. */
export const nativeCoin: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** State of the sender at the block of the quote. Amounts are in base units. */
export type SenderState = {
  /** The sender's balance of the input token, or of the native coin if that is sold. */
  readonly balance: bigint
  /** The recipient's balance of the output token; absent if the token does not report it. */
  readonly received?: bigint | undefined
  /** The sender's balance of the wrapped coin if they sell native coin; absent if the token does not report it. */
  readonly wrapped?: bigint | undefined
  /** Allowance of the spender; absent if the swap needs no allowance. */
  readonly allowance?: bigint | undefined
  /** Result of the swap alone, as the sender would send it now; absent if it could not be simulated. */
  readonly direct?: { readonly isOk: boolean; readonly answer: Hex } | undefined
  /** Results of all calls in order; absent if they could not be simulated. */
  readonly plain?: readonly StepResult[] | undefined
  /** The same with a reset of the allowance before the approval. */
  readonly reset?: readonly StepResult[] | undefined
  /** Whether a state override gave the simulated sender the input. */
  readonly isFunded: boolean
}

/** A step of the rehearsal and its purpose. */
export type Rehearsed = Step & { readonly purpose: Purpose }

/** The sender's calls with their results; `undefined` if they could not be simulated. */
type Rehearsal = {
  readonly steps: readonly Rehearsed[]
  readonly results: readonly StepResult[] | undefined
}

/** The asset that the sender pays with: the input token or the native coin. */
export function paidOf({ request }: Quote): Address {
  return request.tokenIn.isNative ? nativeCoin : request.tokenIn.address
}

const depositData: Hex = '0xd0e30db0'

/** All transactions of a sender without any allowance or wrapped coin; the last one is the swap. */
export function stepsOf(quote: Quote, options: { resets: boolean }): readonly Rehearsed[] {
  const { approval, request, soldRoute: route, terms } = quote
  const { router } = request.chain.contracts
  const { amountIn } = route
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
  // The rehearsal has no signature, so it uses an allowance instead.
  const isSigned = way === 'permit' || way === 'permit2'
  const ran: SwapCall.UnsignedWay = isSigned ? 'allowance' : way
  const data = SwapCall.encode({ route, way: ran, ...terms! })
  if (isSigned) steps.push(allow(router, amountIn, 'swap'))
  return [...steps, { purpose: 'swap', to: router, value: SwapCall.coinOf(way, route), data }]
}

/**
 * Adds to a quote what the sender lacks and the remaining transactions. Keeps `tx` only if it can be sent as it is.
 */
export function apply(quote: Quote, state: SenderState): Quote {
  const { amountIn } = quote.soldRoute
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
 * Gas estimate for this sender and recipient. A recipient's first balance costs more, and emptying the sender's balance or
 * allowance gives a refund. Refunds are capped, so the estimate is at least the measured gas minus the maximum refund. A taxed
 * token writes more slots than the plan's estimate includes; the rehearsal has measured them.
 */
function estimateFor(quote: Quote, state: SenderState, rehearsal: Rehearsal): bigint {
  const { tokenIn } = quote.request
  const { amountIn } = quote.soldRoute
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

/** Gas of the swap alone before refunds, from its rehearsal; `undefined` without a successful rehearsal. */
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
  // An approval writes nothing if the allowance already has this value.
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
    return 'The allowance is too low: send `calls`, then sign `permit`; the signature pays for the swap.'
  if (allowance !== undefined)
    return 'The allowance is too low: send `calls` in order; the last one is the swap.'
  return wraps
    ? 'The native coin must be wrapped first: send `calls` in order; the last one is the swap.'
    : undefined
}

/** First error of the swap with enough balance and allowance; `undefined` if none is known. */
function failureOf(
  steps: readonly Rehearsed[],
  results: readonly StepResult[] | undefined,
  { isMissing, state }: { isMissing: boolean; state: SenderState },
): Issues['simulation'] {
  if (!isMissing && state.direct !== undefined) return nameOf('swap', state.direct.answer)
  // A rehearsal without the input fails for that reason alone, so it tells nothing.
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

/** Makes an untrusted revert text safe to show: plain characters only, at most 64. */
function plainText(text: string): string {
  return text.replaceAll(/[^ A-Za-z0-9:_.-]/g, '?').slice(0, 64)
}

/** Gas limit of the swap: the higher of the plan's limit and the measured one. */
function gasOf(
  quote: Quote,
  steps: readonly Rehearsed[],
  results: readonly StepResult[] | undefined,
): bigint {
  const { integratorFee } = quote.request
  const limit = SwapGas.limit(quote.plan, SwapWay.of(quote.request), integratorFee)
  const swap = results?.at(-1)
  if (swap?.isOk !== true) return limit
  const { data } = steps.at(-1)!
  const legs = quote.plan.route.legs.length
  const callGas = swap.gas + warmGas
  const measured = SwapGas.limitOfMeasured({ callGas, data, legs })
  if (measured < limit) return limit
  return measured
}

/** Gas that a call saves in a rehearsal because earlier steps have read the token's account and slots. */
const warmGas = 12_000n
/** Gas limit of a call that could not be measured. */
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
