import { account } from '@sluice/devnet'
import { type Plan, PlanCall, PlanChecks, SwapCall } from '@sluice/domain'
import { type Address, type Hex, hexToBigInt, maxUint256, numberToHex } from 'viem'
import type { Stage } from './Stage.js'

/** What a trader is told, and what a swap with the default minimum then pays. */
export type Answer = {
  plan: Plan.Plan | undefined
  /** Zero if the swap fails. */
  delivered: bigint
}

export type AskOptions = {
  gasPrice?: bigint
  hints?: readonly Address[]
  /** The legs are filled in a dry run. */
  isExact?: boolean
}

const SWAP_GAS = numberToHex(60_000_000)

/** The Quoter's plan, in a call as the service makes it; none if the call fails. */
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
  if (problem) throw new Error(`The plan does not hold: ${problem.reason}.`)
  return plan
}

/** The plan, and what the Router pays for it when its floor is the minimum. */
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
