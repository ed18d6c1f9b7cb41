import { quoterAbi } from '@sluice/abi'
import {
  type Address,
  decodeFunctionData,
  type Hex,
  numberToHex,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Addresses from '../values/Addresses.js'
import { BaseError } from '../values/Errors.js'
import * as Words from '../values/Words.js'
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

/** An `eth_call` to the Quoter, in the words of JSON-RPC. */
export type Call = {
  readonly to: Address
  readonly data: Hex
  readonly gas: Hex
  /** Name of the function. */
  readonly function: string
  /** Its canonical signature. */
  readonly signature: string
}

/** Gas to give the `eth_call` on nodes that are known to take so much, so that each gives the same verdict. */
export const previewGas = 30_000_000n
/** Gas given to a call with a dry run. */
export const exactGas = 60_000_000n
/**
 * Gas for the call on a node that nobody has asked before, a reader's own: what any transaction may take since Osaka
 * (EIP-7825), so that no node refuses it. On markets of real pools no call needs a third of it.
 */
export const readersGas = 2n ** 24n

/** Gas that the service gives the call of a question, on a node that takes so much. */
export function fullGas({ isExact }: Pick<PlanQuestion, 'isExact'>): bigint {
  return isExact ? exactGas : previewGas
}

/** The function, with what follows from its name worked out once. */
function functionOf(name: 'previewPlan' | 'previewPlanExact', count: number) {
  const item = quoterAbi.find(
    (candidate) =>
      candidate.type === 'function' && candidate.name === name && candidate.inputs.length === count,
  ) as Extract<(typeof quoterAbi)[number], { type: 'function' }>
  return {
    name,
    selector: toFunctionSelector(item),
    signature: toFunctionSignature(item),
    gas: numberToHex(readersGas),
  }
}

const plain = functionOf('previewPlan', 3)
const steered = functionOf('previewPlan', 4)
const exact = functionOf('previewPlanExact', 4)

/** Calldata of `previewPlan` (the short form if nothing is steered) or `previewPlanExact`. */
export function encode(question: PlanQuestion): Hex {
  return dataOf(functionFor(question), question)
}

/**
 * What the Quoter is asked for a request. It runs the swap on the live pools if that is asked for, and before anything is
 * signed: a token can refuse or tax what a preview adds up.
 */
export function questionOf(request: QuoteRequest): PlanQuestion {
  return {
    tokenIn: request.tokenIn.address,
    tokenOut: request.tokenOut.address,
    amountIn: request.amountIn,
    isExact: request.isExact || isToBeSigned(request),
    gasPrice: request.gasPrice,
    connectors: request.connectors,
  }
}

function isToBeSigned({ chain, recipient }: QuoteRequest): boolean {
  return recipient !== undefined && !Addresses.equal(chain.contracts.router, Addresses.zero)
}

/** The call that answers a request on a reader's node. */
export function of(request: QuoteRequest): Call {
  const question = questionOf(request)
  const asked = functionFor(question)
  return {
    to: request.chain.contracts.quoter,
    data: dataOf(asked, question),
    gas: asked.gas,
    function: asked.name,
    signature: asked.signature,
  }
}

function functionFor({ connectors, gasPrice, isExact }: PlanQuestion) {
  if (isExact) return exact
  return gasPrice === 0n && connectors.length === 0 ? plain : steered
}

/** Written word by word, because every quote and every prepared call waits for it. A test holds it to the ABI. */
function dataOf(asked: typeof plain, question: PlanQuestion): Hex {
  const { amountIn, connectors, gasPrice, tokenIn, tokenOut } = question
  const trade = `${Words.address(tokenIn)}${Words.address(tokenOut)}${Words.integer(amountIn)}`
  if (asked === plain) return `${asked.selector}${trade}`
  const hints = `${Words.integer(0x40)}${Words.integer(connectors.length)}${connectors.map(Words.address).join('')}`
  return `${asked.selector}${trade}${Words.integer(0x80)}${Words.integer(gasPrice)}${hints}`
}

/**
 * The question that calldata asks.
 *
 * @returns `undefined` for anything but the one encoding that `encode` gives, in lower case.
 */
export function read(data: Hex): PlanQuestion | undefined {
  const question = tryRead(data)
  return question !== undefined && encode(question) === data ? question : undefined
}

function tryRead(data: Hex): PlanQuestion | undefined {
  try {
    const { args, functionName } = decodeFunctionData({ abi: quoterAbi, data })
    if (functionName !== 'previewPlan' && functionName !== 'previewPlanExact') return undefined
    const [tokenIn, tokenOut, amountIn, options = { gasPrice: 0n, connectors: [] }] = args
    const isExact = functionName === 'previewPlanExact'
    return { tokenIn, tokenOut, amountIn, isExact, ...options }
  } catch {
    return undefined
  }
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
