import { type Plan, PlanCall, PlanChecks, type PoolHints } from '@sluice/domain'
import type { Address } from 'viem'
import { meteredCall } from '../lib/meteredCall.js'
import type { Standing } from './Standing.js'

/**
 * Calls the deployed Quoter, and checks its plan like the engine does.
 *
 * @param pools Pool hints. @default the market's
 */
export async function askQuoter(
  { contracts, hinted, rpc }: Standing,
  asked: PlanChecks.Trade,
  connectors: readonly Address[],
  gasPrice: bigint,
  pools: readonly PoolHints.PoolHint[] = hinted,
): Promise<{ plan: Plan.Plan; gas: number }> {
  const question = { ...asked, isExact: false, gasPrice, connectors, pools }
  const data = PlanCall.encode(question)
  const { result, gas } = await meteredCall(rpc, contracts.quoter, data)
  const plan = PlanCall.decode(result)
  const problem = PlanChecks.problem(plan, question)
  if (problem) throw new Error(`The plan fails a check: ${problem.reason}.`)
  return { plan, gas }
}
