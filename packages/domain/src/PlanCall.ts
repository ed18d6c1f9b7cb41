import { quoterAbi } from '@sluice/abi'
import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
} from 'viem'
import { BaseError } from './Errors.js'
import { type Plan, verdicts } from './Plan.js'

/** What the Quoter is asked. */
export type PlanQuestion = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly isExact: boolean
  /** Wei for a unit of gas; zero leaves gas out of the search. */
  readonly gasPrice: bigint
  readonly connectors: readonly Address[]
}

/** Gas to give the `eth_call`, so that every node gives the same verdict. */
export const previewGas = 30_000_000n
export const exactGas = 60_000_000n

const planOutputs = quoterAbi.find(
  (item) => item.type === 'function' && item.name === 'previewPlanExact',
)!.outputs

/** Calldata of `previewPlan` (the short form where nothing is steered) or `previewPlanExact`. */
export function encode(question: PlanQuestion): Hex {
  const { amountIn, connectors, gasPrice, isExact, tokenIn, tokenOut } = question
  const options = { gasPrice, connectors }
  if (isExact)
    return encodeFunctionData({
      abi: quoterAbi,
      functionName: 'previewPlanExact',
      args: [tokenIn, tokenOut, amountIn, options],
    })
  if (gasPrice === 0n && connectors.length === 0)
    return encodeFunctionData({
      abi: quoterAbi,
      functionName: 'previewPlan',
      args: [tokenIn, tokenOut, amountIn],
    })
  return encodeFunctionData({
    abi: quoterAbi,
    functionName: 'previewPlan',
    args: [tokenIn, tokenOut, amountIn, options],
  })
}

/**
 * Reads the Quoter's answer.
 *
 * Strict: what does not encode back to the same bytes is refused, so nothing can hide behind the part that is read.
 *
 * @throws UndecodablePlanError
 */
export function decode(data: Hex): Plan {
  try {
    const [answer] = decodeAbiParameters(planOutputs, data)
    const verdict = verdicts[answer.verdict]
    if (verdict === undefined) throw new UndecodablePlanError('unknown verdict')
    if (encodeAbiParameters(planOutputs, [answer]) !== data.toLowerCase())
      throw new UndecodablePlanError('not the canonical encoding')
    return { ...answer, verdict }
  } catch (error) {
    if (error instanceof UndecodablePlanError) throw error
    throw new UndecodablePlanError('not a Plan', error)
  }
}

/** Thrown when a node's answer is not a Plan. */
export class UndecodablePlanError extends BaseError {
  override readonly name = 'PlanCall.UndecodablePlanError'
  constructor(reason: string, cause?: unknown) {
    super(`The Quoter's answer cannot be read: ${reason}.`, { code: 'bad_result', cause })
  }
}
