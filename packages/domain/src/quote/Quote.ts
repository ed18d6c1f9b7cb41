import type { Address } from 'viem'
import type { Plan, Route } from '../plan/Plan.js'
import * as Deadline from '../request/Deadline.js'
import * as Minimum from '../request/Minimum.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as IntegratorFee from '../swap/IntegratorFee.js'
import * as Permits from '../swap/Permits.js'
import * as SwapCall from '../swap/SwapCall.js'
import * as SwapGas from '../swap/SwapGas.js'
import * as SwapWay from '../swap/SwapWay.js'
import * as Addresses from '../values/Addresses.js'
import * as GasCost from './GasCost.js'
import type { Issues } from './Issues.js'
import * as SoldRoute from './SoldRoute.js'
import type { Call, Transaction } from './Transactions.js'
import * as Warnings from './Warnings.js'

/** Allowance that the transaction needs. */
export type Approval = {
  readonly token: Address
  readonly spender: Address
  readonly amount: bigint
}

/** A plan applied to one caller's request. */
export type Quote = {
  readonly request: QuoteRequest
  /** The plan; its net output and its floor are after all fees. */
  readonly plan: Plan
  /** The route of the transaction, whose `amountIn` is what it sells. */
  readonly soldRoute: Route
  /** Minimum net output in base units; the swap reverts if it would deliver less. */
  readonly effectiveMinOut: bigint
  /** Cost of the gas in base units of `tokenOut`, rounded up; `undefined` if the native coin has no known price. */
  readonly gasCostOut: bigint | undefined
  readonly canExecute: boolean
  /** Why `canExecute` is false. */
  readonly reason: string | undefined
  /** Gas of the whole transaction, including the cost of the way of payment. */
  readonly estGas: bigint
  readonly warnings: readonly Warnings.Warning[]
  /** Terms in the calldata; present if there is a recipient and the swap can be executed. */
  readonly terms: SwapCall.Terms | undefined
  /** Absent if a signature is needed first. */
  readonly tx: Transaction | undefined
  readonly approval: Approval | undefined
  /** The permit to sign, if the request pays with a signature. */
  readonly permit?: Permits.Permit | undefined
  /** With a sender: what they lack at the block of the quote. */
  readonly issues?: Issues | undefined
  /** With a sender: the remaining transactions, in order. */
  readonly calls?: readonly Call[] | undefined
  /** Why there is no `tx` although a recipient was sent. */
  readonly txReason: string | undefined
}

/**
 * Builds a quote from a plan: applies the minimum, the recipient, the way of payment and the deadline.
 *
 * @param computed The plan as the Quoter computed it, after the protocol's fee alone.
 * @param options.now Time of this machine in unix seconds; the deadline counts from it.
 */
export function from(request: QuoteRequest, computed: Plan, options: from.Options): Quote {
  const { dryRun = { kind: 'none' }, now } = options
  const { amountOut, chain, integratorFee, overrides, recipient, slippageBps } = request
  const plan = IntegratorFee.applied(computed, integratorFee, amountOut)
  const { ironFloor, netOut } = plan
  const effectiveMinOut = Minimum.from({ netOut, ironFloor, slippageBps, amountOut })
  const soldRoute = SoldRoute.of(request, plan)
  const isOverridden = overrides !== undefined
  const reason =
    problem(plan, effectiveMinOut, amountOut) ?? (isOverridden ? overriddenReason : undefined)
  const way = SwapWay.of(request)
  const { router } = chain.contracts
  const undeployed = Addresses.equal(router, Addresses.zero)
    ? `The Router is not deployed on ${chain.name}.`
    : undefined
  const deadline = Deadline.from({
    deadlineSec: request.deadlineSec,
    now,
    timestamp: plan.witness.timestamp,
    blockTimeMs: chain.blockTimeMs,
  })
  const late =
    deadline === undefined
      ? 'The clock of the machine that builds the calldata is far behind the chain. Set it, then request a new quote.'
      : undefined
  const txReason = recipient === undefined ? undefined : (reason ?? undeployed ?? late)
  const terms =
    recipient === undefined || txReason !== undefined
      ? undefined
      : {
          minOut: effectiveMinOut,
          recipient,
          deadline: deadline!.at,
          ...(integratorFee && { integratorFee }),
        }
  const asksMinimum =
    slippageBps === undefined || amountOut !== undefined
      ? undefined
      : Minimum.asked(netOut, slippageBps)
  const estGas = SwapGas.estimate(plan, way, integratorFee)
  const quote = {
    request,
    plan,
    soldRoute,
    effectiveMinOut,
    canExecute: reason === undefined,
    reason,
    estGas,
    gasCostOut: GasCost.of({ request, plan, estGas }),
    warnings: Warnings.of({
      ...{ plan, dryRun, asksMinimum, isOverridden },
      isSigned: terms !== undefined,
    }),
    terms,
    txReason,
  }
  if (terms === undefined) return { ...quote, tx: undefined, approval: undefined }
  const spender = SwapWay.spenderOf(way, router)
  const route = soldRoute
  const approval = spender && { token: request.tokenIn.address, spender, amount: route.amountIn }
  if (way === 'permit' || way === 'permit2') {
    const parties = { chainId: chain.chainId, router, owner: request.sender!, route, terms }
    const permit = way === 'permit2' ? Permits.ofPermit2(parties) : undefined
    return { ...quote, tx: undefined, approval, permit, txReason: unsignedReason }
  }
  const tx = {
    to: router,
    data: SwapCall.encode({ route, way, ...terms }),
    deadline: deadline!,
    value: SwapCall.coinOf(way, route),
    gas: SwapGas.limit(plan, way, integratorFee),
  }
  return { ...quote, tx, approval }
}

/** The quote of a sender who cannot give a permit: an allowance to the Router pays for the swap. */
export function byApproval(quote: Quote, options: { now: bigint }): Quote {
  const { signature: _, ...request } = quote.request
  const warnings = [...quote.warnings, Warnings.permitUnavailable]
  return { ...from(request, quote.plan, options), warnings }
}

const overriddenReason =
  'The quote is for the state in `overrides`, not for that of the chain. Quote again without `overrides`.'

const unsignedReason =
  'The swap needs the signature of `permit.typedData` by the sender; send it to POST /api/quote/signed.'

export declare namespace from {
  type Options = {
    now: bigint
    /** @default none */
    dryRun?: Warnings.DryRun | undefined
  }
}

function problem(plan: Plan, effectiveMinOut: bigint, amountOut?: bigint): string | undefined {
  switch (plan.verdict) {
    case 'Executable':
      return plan.netOut < effectiveMinOut
        ? 'The output is below the minimum that the protocol accepts.'
        : undefined
    case 'DryRunFailed':
      return 'A dry run of the route on the live pools failed: a token or a pool rejects the transfer.'
    case 'BelowFloor':
      return `A dry run of the route delivered less than ${amountOut === undefined ? 'the floor' : '`amountOut`'}: a token takes a tax on transfers.`
    default:
      return 'No route exists.'
  }
}
