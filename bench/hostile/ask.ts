import { account } from '@sluice/devnet'
import { type Plan, PlanCall, PlanChecks, SwapCall } from '@sluice/domain'
import { type Address, type Hex, hexToBigInt, maxUint256, numberToHex } from 'viem'
import type { Stage } from './Stage.js'

/** A trader's plan, and the output of a swap with the default minimum. */
export type Answer = {
  plan: Plan.Plan | undefined
  /** Zero if the swap fails. */
  delivered: bigint
}

export type AskOptions = {
  gasPrice?: bigint
  hints?: readonly Address[]
  /** Whether the Quoter executes the route in a dry run. */
  isExact?: boolean
}

const SWAP_GAS = numberToHex(60_000_000)

/** Returns the Quoter's plan from a call like the service's; undefined if the call fails. */
export async function askPlan(
  { standing, trade }: Stage,
  { gasPrice = 0n, hints = [], isExact = false }: AskOptions = {},
): Promise<Plan.Plan | undefined> {
  const question = { ...assetsOf(trade), isExact, gasPrice, connectors: hints }
  const data = PlanCall.encode(question)
  const call = {
    to: standing.contracts.quoter,
    data,
    gas: numberToHex(isExact ? PlanCall.exactGas : PlanCall.previewGas),
  }
  const answer = await standing.rpc
    .request<Hex>('eth_call', [call, 'latest'])
    .catch(() => undefined)
  if (!answer) return undefined
  const plan = PlanCall.decode(answer)
  const problem = PlanChecks.problem(plan, question)
  if (problem) throw new Error(`The plan fails a check: ${problem.reason}.`)
  return plan
}

/** Returns the plan, and what the Router pays for it with the floor as the minimum. */
export async function ask(stage: Stage, options: AskOptions = {}): Promise<Answer> {
  const plan = await askPlan(stage, options)
  if (plan?.verdict !== 'Executable') return { plan, delivered: 0n }
  const { rpc, router } = stage.standing
  const data = SwapCall.encode({
    route: plan.route,
    minOut: plan.ironFloor,
    recipient: account.address,
    deadline: maxUint256,
  })
  const call = { from: account.address, to: router, data, gas: SWAP_GAS }
  const paid = await rpc.request<Hex>('eth_call', [call, 'latest']).catch(() => '0x0' as const)
  return { plan, delivered: hexToBigInt(paid) }
}

export function assetsOf({ amountIn, tokenIn, tokenOut }: Stage['trade']): PlanChecks.Trade {
  return { tokenIn: tokenIn as Address, tokenOut: tokenOut as Address, amountIn: BigInt(amountIn) }
}
