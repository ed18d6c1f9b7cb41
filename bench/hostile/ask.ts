import { account } from '@sluice/devnet'
import { type Plan, PlanCall, PlanChecks, type PoolHints, SwapCall } from '@sluice/domain'
import { type Address, hexToBigInt, maxUint256, numberToHex } from 'viem'
import { tryCall } from '../lib/tryCall.js'
import type { Stage } from './Stage.js'

/** A trader's plan, and the output of a swap with the default minimum. */
export type Answer = {
  plan: Plan.Plan | undefined
  /** Zero if the swap fails. */
  delivered: bigint
  /** Why there is no plan or it cannot be executed. */
  failure?: string | undefined
  /** Whether a plan was returned that fails the service's checks. */
  isInvalid?: boolean | undefined
}

export type AskOptions = {
  gasPrice?: bigint
  hints?: readonly Address[]
  pools?: readonly PoolHints.PoolHint[]
  /** Whether the Quoter executes the route in a dry run. */
  isExact?: boolean
}

const SWAP_GAS = numberToHex(60_000_000)

/** Returns the Quoter's plan from a call like the service's, or why the call has none. */
export async function askPlan(
  { standing, trade }: Pick<Stage, 'standing' | 'trade'>,
  { gasPrice = 0n, hints = [], isExact = false, pools = [] }: AskOptions = {},
): Promise<Omit<Answer, 'delivered'>> {
  const question = { ...assetsOf(trade), isExact, gasPrice, connectors: hints, pools }
  const called = await tryCall(standing.rpc, {
    to: standing.contracts.quoter,
    data: PlanCall.encode(question),
    gas: numberToHex(PlanCall.fullGas),
  })
  if (!called.ok) return { plan: undefined, failure: called.why }
  const plan = PlanCall.decode(called.data)
  const problem = PlanChecks.problem(plan, question)
  // The service discards such a response, and takes the node for faulty.
  if (problem) return { plan: undefined, failure: problem.reason, isInvalid: true }
  return { plan, failure: plan.verdict === 'Executable' ? undefined : plan.verdict }
}

/** Returns the plan, and what the Router pays for it with the floor as the minimum. */
export async function ask(stage: Stage, options: AskOptions = {}): Promise<Answer> {
  const answer = await askPlan(stage, options)
  const { plan } = answer
  if (plan?.verdict !== 'Executable') return { ...answer, delivered: 0n }
  const { rpc, router } = stage.standing
  const data = SwapCall.encode({
    route: plan.route,
    minOut: plan.ironFloor,
    recipient: account.address,
    deadline: maxUint256,
  })
  const paid = await tryCall(rpc, { from: account.address, to: router, data, gas: SWAP_GAS })
  if (!paid.ok) return { plan, failure: paid.why, delivered: 0n }
  return { plan, delivered: hexToBigInt(paid.data) }
}

export function assetsOf({ amountIn, tokenIn, tokenOut }: Stage['trade']): PlanChecks.Trade {
  return { tokenIn: tokenIn as Address, tokenOut: tokenOut as Address, amountIn: BigInt(amountIn) }
}
