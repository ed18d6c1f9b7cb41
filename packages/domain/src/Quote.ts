import type { Address, Hex } from 'viem'
import * as Addresses from './Addresses.js'
import * as Deadline from './Deadline.js'
import * as Minimum from './Minimum.js'
import type { Plan } from './Plan.js'
import type { QuoteRequest } from './QuoteRequest.js'
import * as SwapCall from './SwapCall.js'

/** A transaction to sign, built by us. */
export type Transaction = {
  readonly to: Address
  readonly data: Hex
  readonly deadline: Deadline.Deadline
}

/** Allowance that the transaction needs. */
export type Approval = {
  readonly token: Address
  readonly spender: Address
  readonly amount: bigint
}

/** A plan applied to one caller's request. */
export type Quote = {
  readonly request: QuoteRequest
  readonly plan: Plan
  /** Least net output that the swap delivers or reverts. */
  readonly effectiveMinOut: bigint
  readonly canExecute: boolean
  /** Why `canExecute` is false. */
  readonly reason: string | undefined
  /** With a recipient, where the swap can be executed. */
  readonly tx: Transaction | undefined
  readonly approval: Approval | undefined
  /** Why there is no `tx` although a recipient was sent. */
  readonly txReason: string | undefined
}

/** Verdicts that carry a route, though not always one to execute. */
export type QuotableVerdict = 'Executable' | 'DryRunFailed' | 'BelowFloor'

export function isQuotable(plan: Plan): plan is Plan & { verdict: QuotableVerdict } {
  return ['Executable', 'DryRunFailed', 'BelowFloor'].includes(plan.verdict)
}

/**
 * Applies minimum, recipient and deadline to a plan.
 *
 * @param options.now Unix seconds by the clock of this machine; the deadline counts from it.
 */
export function from(request: QuoteRequest, plan: Plan, options: from.Options): Quote {
  const { chain, recipient, slippageBps } = request
  const { ironFloor, netOut } = plan
  const effectiveMinOut = Minimum.from({ netOut, ironFloor, slippageBps })
  const reason = problem(plan, effectiveMinOut)
  const quote = { request, plan, effectiveMinOut, canExecute: reason === undefined, reason }
  const withheld = { ...quote, tx: undefined, approval: undefined }
  if (recipient === undefined) return { ...withheld, txReason: undefined }
  if (reason !== undefined) return { ...withheld, txReason: reason }
  const { router } = chain.contracts
  if (Addresses.equal(router, Addresses.zero))
    return { ...withheld, txReason: `The Router is not deployed on ${chain.name}.` }
  const deadline = Deadline.from({
    deadlineSec: request.deadlineSec,
    now: options.now,
    timestamp: plan.witness.timestamp,
    blockTimeMs: chain.blockTimeMs,
  })
  if (deadline === undefined)
    return {
      ...withheld,
      txReason: 'The clock here is far behind the chain; set it and ask again.',
    }
  const data = SwapCall.encode({
    route: plan.route,
    minOut: effectiveMinOut,
    recipient,
    deadline: deadline.at,
  })
  return {
    ...quote,
    tx: { to: router, data, deadline },
    approval: { token: plan.route.tokenIn, spender: router, amount: request.amountIn },
    txReason: undefined,
  }
}

export declare namespace from {
  type Options = { now: bigint }
}

function problem(plan: Plan, effectiveMinOut: bigint): string | undefined {
  switch (plan.verdict) {
    case 'Executable':
      return plan.netOut < effectiveMinOut
        ? 'The output is below the least that the protocol lets through.'
        : undefined
    case 'DryRunFailed':
      return 'A dry run of the route against the live pools failed: a token or a pool refuses the transfer.'
    case 'BelowFloor':
      return 'A dry run of the route delivered less than the floor: a token takes a tax on transfers.'
    default:
      return 'There is no route.'
  }
}
