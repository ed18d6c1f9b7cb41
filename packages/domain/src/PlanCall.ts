import { quoterAbi } from '@sluice/abi'
import { type Address, concatHex, encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { BaseError } from './Errors.js'
import type { Plan } from './Plan.js'
import * as PlanWords from './PlanWords.js'

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

type Item = Extract<(typeof quoterAbi)[number], { type: 'function' }>
type Named<name, count> = Extract<Item, { name: name; inputs: { length: count } }>

/** The function, with its selector worked out once. */
function functionOf<const name extends Item['name'], const count extends number>(
  name: name,
  count: count,
) {
  const item = quoterAbi.find(
    (candidate) =>
      candidate.type === 'function' && candidate.name === name && candidate.inputs.length === count,
  ) as Named<name, count>
  return { selector: toFunctionSelector(item), inputs: item.inputs }
}

const plain = functionOf('previewPlan', 3)
const steered = functionOf('previewPlan', 4)
const exact = functionOf('previewPlanExact', 4)

/** Calldata of `previewPlan` (the short form where nothing is steered) or `previewPlanExact`. */
export function encode(question: PlanQuestion): Hex {
  const { amountIn, connectors, gasPrice, isExact, tokenIn, tokenOut } = question
  const isPlain = !isExact && gasPrice === 0n && connectors.length === 0
  if (isPlain)
    return concatHex([
      plain.selector,
      encodeAbiParameters(plain.inputs, [tokenIn, tokenOut, amountIn]),
    ])
  const { inputs, selector } = isExact ? exact : steered
  const options = { gasPrice, connectors }
  return concatHex([selector, encodeAbiParameters(inputs, [tokenIn, tokenOut, amountIn, options])])
}

/**
 * Reads the Quoter's answer.
 *
 * Strict: what is not the canonical encoding is refused, so nothing can hide behind the part that is read.
 *
 * @param data Lower-case hexadecimal.
 * @throws UndecodablePlanError
 */
export function decode(data: Hex): Plan {
  const plan = PlanWords.read(data)
  if (plan === undefined) throw new UndecodablePlanError()
  return plan
}

/** Thrown when a node's answer is not a Plan. */
export class UndecodablePlanError extends BaseError {
  override readonly name = 'PlanCall.UndecodablePlanError'
  constructor() {
    super("The Quoter's answer is not an encoded Plan.", { code: 'bad_result' })
  }
}
