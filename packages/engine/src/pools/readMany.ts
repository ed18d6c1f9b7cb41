import { lensAbi } from '@sluice/abi'
import { PlanCall } from '@sluice/domain'
import { decodeFunctionResult, type Hex, numberToHex } from 'viem'
import type { LensAnswer } from '../lens/askLens.js'
import { type LensAsk, lensCall, lensOverride } from '../lens/lensCall.js'
import type { AskNode } from '../logs/AskNode.js'

/**
 * Makes several reads for each of some contracts, all in one call of the Lens.
 *
 * @param gasEach Gas limit of each read. All of them together must fit into `PlanCall.readersGas`.
 * @throws if the node does not answer.
 */
export async function readMany(
  ask: AskNode,
  asks: readonly (readonly LensAsk[])[],
  gasEach: bigint,
): Promise<readonly (readonly LensAnswer[])[]> {
  const flat = asks.flat()
  if (flat.length === 0) return asks.map(() => [])
  const call = { ...lensCall(flat, gasEach), gas: numberToHex(PlanCall.readersGas) }
  const params = [call, 'latest', lensOverride]
  const [outcome] = await ask([{ method: 'eth_call', params }])
  if (!outcome?.ok) throw new Error('The node did not answer.')
  const data = outcome.result as Hex
  const [, answers] = decodeFunctionResult({ abi: lensAbi, functionName: 'read', data })
  if (answers.length !== flat.length) throw new Error('The node left answers out.')
  const rest = answers.values()
  return asks.map((own) => own.map(() => rest.next().value!))
}
