import { type Plan, PlanCall, PlanChecks } from '@sluice/domain'
import type { Address } from 'viem'
import { meteredCall } from '../lib/meteredCall.js'
import type { Standing } from './Standing.js'

/** Calls the deployed Quoter, and checks its plan like the engine does. */
export async function askQuoter(
  rpc: Standing['rpc'],
  quoter: Address,
  asked: PlanChecks.Trade,
  connectors: readonly Address[],
  gasPrice: bigint,
): Promise<{ plan: Plan.Plan; gas: number }> {
  const question = { ...asked, isExact: false, gasPrice, connectors }
  const data = PlanCall.encode(question)
  const { result, gas } = await meteredCall(rpc, quoter, data)
  const plan = PlanCall.decode(result)
  const problem = PlanChecks.problem(plan, question)
  if (problem) throw new Error(`The plan fails a check: ${problem.reason}.`)
  return { plan, gas }
}
