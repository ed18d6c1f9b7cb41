import { Plan, PlanCall } from '@sluice/domain'
import type { Address } from 'viem'
import { meteredCall } from '../lib/meteredCall.js'
import type { Standing } from './Standing.js'

/** Asks the deployed Quoter, and looks at what it says as the engine does. */
export async function askQuoter(
  rpc: Standing['rpc'],
  quoter: Address,
  asked: Plan.Asked,
  connectors: readonly Address[],
  gasPrice: bigint,
): Promise<{ plan: Plan.Plan; gas: number }> {
  const data = PlanCall.encode({ ...asked, isExact: false, gasPrice, connectors })
  const { result, gas } = await meteredCall(rpc, quoter, data)
  const plan = PlanCall.decode(result)
  const problem = Plan.problem(plan, asked)
  if (problem) throw new Error(`The plan does not hold: ${problem}.`)
  return { plan, gas }
}
