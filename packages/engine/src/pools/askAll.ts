import { isAnswer } from '@sluice/rpc'
import type { Hex } from 'viem'
import type { AskNode } from '../logs/AskNode.js'

/**
 * Calls contracts, each in a call of its own.
 *
 * @returns What they return, in lower case; `undefined` for those that failed.
 * @throws if the node answers nothing.
 */
export async function askAll(
  ask: AskNode,
  calls: Parameters<AskNode>[0],
): Promise<readonly (Hex | undefined)[]> {
  if (calls.length === 0) return []
  const outcomes = await ask(calls)
  if (!outcomes.some((outcome) => outcome.ok || isAnswer(outcome.failure)))
    throw new Error('The node did not answer.')
  return outcomes.map((outcome) =>
    outcome.ok ? (String(outcome.result).toLowerCase() as Hex) : undefined,
  )
}
