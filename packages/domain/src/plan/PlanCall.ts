import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import * as PoolHints from '../request/PoolHints.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as IntegratorFee from '../swap/IntegratorFee.js'
import * as Addresses from '../values/Addresses.js'
import { BaseError } from '../values/Errors.js'
import * as Words from '../values/Words.js'
import type { Plan } from './Plan.js'
import * as PlanWords from './PlanWords.js'

/** Arguments of a call to the Quoter. */
export type PlanQuestion = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Zero if an output is asked for. */
  readonly amountIn: bigint
  /** Net output that is asked for in place of an input. */
  readonly amountOut?: bigint | undefined
  readonly isExact: boolean
  /** Gas price in wei; with zero, the search ignores gas. */
  readonly gasPrice: bigint
  readonly connectors: readonly Address[]
  /** Numbers of the venues that the route may not use, each once, ascending. @default none */
  readonly excludedVenues?: readonly number[] | undefined
  /** Pools that the venues' adapters look at in addition. @default none */
  readonly pools?: readonly PoolHints.PoolHint[] | undefined
}

/** An `eth_call` to the Quoter, with JSON-RPC values. */
export type Call = {
  readonly to: Address
  readonly data: Hex
  readonly gas: Hex
  /** Name of the function. */
  readonly function: string
  /** Canonical signature of the function. */
  readonly signature: string
}

/**
 * Gas of a call on nodes that are known to allow it. All get the same, so that they return the same plan, and geth grants no more by
 * default, whatever is asked for. Hardly any call needs so much, but anybody can add pools that a search has to read.
 */
export const fullGas = 50_000_000n
/**
 * Gas of a call on an unknown node, such as the caller's own: the maximum gas of a transaction since Osaka (EIP-7825), so
 * that no node rejects it. On markets of real pools, no call needs a third of it.
 */
export const readersGas = 2n ** 24n

/** Input of a dry run for an output, which nobody knows yet: more than any trade sells, and less than tokens can count. */
const ampleInput = 2n ** 96n - 1n

/** Amount of the input token that the Quoter holds during a dry run, if a state override puts it there. */
export function heldInput({ amountIn, amountOut }: PlanQuestion): bigint {
  return amountOut === undefined ? amountIn : ampleInput
}

/** Functions of the Quoter. Constants, so that pages need not carry its ABI; a test compares them with it. */
const gas = numberToHex(readersGas)
const plain = {
  name: 'previewPlan',
  selector: '0x49d5f197',
  signature: 'previewPlan(address,address,uint256)',
  gas,
} as const
const steered = {
  name: 'previewPlan',
  selector: '0x221c362c',
  signature: 'previewPlan(address,address,uint256,(uint256,address[],uint256,uint256[]))',
  gas,
} as const
const exact = {
  name: 'previewPlanExact',
  selector: '0x00a38512',
  signature: 'previewPlanExact(address,address,uint256,(uint256,address[],uint256,uint256[]))',
  gas,
} as const
const forOutput = {
  name: 'previewPlanForOutput',
  selector: '0x8d249b9e',
  signature: 'previewPlanForOutput(address,address,uint256,(uint256,address[],uint256,uint256[]))',
  gas,
} as const
const forOutputExact = {
  name: 'previewPlanForOutputExact',
  selector: '0x4d46b623',
  signature:
    'previewPlanForOutputExact(address,address,uint256,(uint256,address[],uint256,uint256[]))',
  gas,
} as const
const functions = [plain, steered, exact, forOutput, forOutputExact] as const
type QuoterFunction = (typeof functions)[number]

/**
 * Calldata of `previewPlan` (without options if they are all zero) or `previewPlanExact`, or of their forms for an output.
 */
export function encode(question: PlanQuestion): Hex {
  return dataOf(functionFor(question), question)
}

/**
 * The Quoter's arguments for a request. The Quoter makes a dry run on the live pools if the request is exact, or if it has
 * a recipient and a Router is deployed: a token can reject or tax transfers, which a preview does not see.
 */
export function questionOf(request: QuoteRequest): PlanQuestion {
  return {
    tokenIn: request.tokenIn.address,
    tokenOut: request.tokenOut.address,
    amountIn: request.amountIn,
    ...(request.amountOut !== undefined && {
      amountOut: IntegratorFee.askedOutput(request.amountOut, request.integratorFee),
    }),
    isExact: request.isExact || isToBeSigned(request),
    gasPrice: request.gasPrice,
    connectors: request.connectors,
    ...(request.excludedVenues && { excludedVenues: request.excludedVenues }),
    ...(request.pools && { pools: request.pools }),
  }
}

function isToBeSigned({ chain, recipient }: QuoteRequest): boolean {
  return recipient !== undefined && !Addresses.equal(chain.contracts.router, Addresses.zero)
}

/** The call that computes the quote of a request on the caller's own node. */
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

/** `PreviewOptions` of the contracts for a question. */
export function optionsOf({ connectors, excludedVenues = [], gasPrice, pools = [] }: PlanQuestion) {
  return { gasPrice, connectors, excludedVenues: maskOf(excludedVenues), pools: pools.map(BigInt) }
}

/** Canonical signature of the Quoter's function that answers a question. */
export function signatureOf(question: PlanQuestion): string {
  return functionFor(question).signature
}

function functionFor(question: PlanQuestion): QuoterFunction {
  const { amountOut, isExact } = question
  if (amountOut !== undefined) return isExact ? forOutputExact : forOutput
  if (isExact) return exact
  return hasOptions(question) ? steered : plain
}

function hasOptions({ connectors, excludedVenues, gasPrice, pools }: PlanQuestion): boolean {
  const given = [...connectors, ...(excludedVenues ?? []), ...(pools ?? [])]
  return gasPrice !== 0n || given.length > 0
}

/** Encodes by hand, because every quote and every prepared call waits for it. A test compares it with the ABI. */
function dataOf(asked: QuoterFunction, question: PlanQuestion): Hex {
  const { amountIn, amountOut = amountIn, connectors, gasPrice, tokenIn, tokenOut } = question
  const trade = `${Words.address(tokenIn)}${Words.address(tokenOut)}${Words.integer(amountOut)}`
  if (asked === plain) return `${asked.selector}${trade}`
  const { excludedVenues = [], pools = [] } = question
  const poolsAt = optionWords * 32 + 32 + connectors.length * 32
  const options = [
    Words.integer(gasPrice),
    Words.integer(optionWords * 32),
    Words.integer(maskOf(excludedVenues)),
    Words.integer(poolsAt),
    Words.integer(connectors.length),
    ...connectors.map(Words.address),
    Words.integer(pools.length),
    ...pools.map(PoolHints.word),
  ]
  return `${asked.selector}${trade}${Words.integer(0x80)}${options.join('')}`
}

/** Words of `PreviewOptions` before its arrays. */
const optionWords = 4

/** Bit `n` stands for the venue with number `n`. */
function maskOf(venues: readonly number[]): bigint {
  return venues.reduce((mask, number) => mask | (1n << BigInt(number)), 0n)
}

function venuesOf(mask: bigint): number[] {
  return Array.from({ length: 256 }, (_, number) => number).filter(
    (number) => ((mask >> BigInt(number)) & 1n) === 1n,
  )
}

/**
 * Decodes the arguments in calldata.
 *
 * @returns `undefined` for anything but the encoding that `encode` returns, in lower case.
 */
export function read(data: Hex): PlanQuestion | undefined {
  const question = tryRead(data)
  return question !== undefined && encode(question) === data ? question : undefined
}

/** Lenient: the caller encodes the question again and compares. */
function tryRead(data: Hex): PlanQuestion | undefined {
  const asked = functions.find(({ selector }) => data.startsWith(selector))
  const [tokenIn, tokenOut, amount, ...options] = data.slice(10).match(/.{64}/g) ?? []
  if (asked === undefined || amount === undefined) return undefined
  // The options' offset, the gas price, two offsets around the mask, and two arrays, each behind its length.
  const [, gasPrice = '0', , mask = '0', , count = '0', ...arrays] = options
  const addressIn = (word = '') => getAddress(`0x${word.slice(24)}`)
  const isForOutput = asked === forOutput || asked === forOutputExact
  try {
    const given = BigInt(`0x${amount}`)
    const connectors = arrays.slice(0, Number(`0x${count}`))
    const pools = arrays.slice(connectors.length + 1)
    const excludedVenues = venuesOf(BigInt(`0x${mask}`))
    return {
      tokenIn: addressIn(tokenIn),
      tokenOut: addressIn(tokenOut),
      ...(isForOutput ? { amountIn: 0n, amountOut: given } : { amountIn: given }),
      isExact: asked === exact || asked === forOutputExact,
      gasPrice: BigInt(`0x${gasPrice}`),
      connectors: connectors.map(addressIn),
      ...(excludedVenues.length > 0 && { excludedVenues }),
      ...(pools.length > 0 && { pools: pools.map(PoolHints.fromWord) }),
    }
  } catch {
    return undefined
  }
}

/**
 * Decodes the Quoter's result: a Plan, with the bound of its input if it was computed for an output.
 *
 * Strict: rejects anything but the canonical encoding, so that no unread bytes can hide in it.
 *
 * @param data Lower-case hexadecimal.
 * @throws UndecodablePlanError
 */
export function decode(data: Hex): Plan {
  const plan = PlanWords.read(data)
  if (plan === undefined) throw new UndecodablePlanError()
  return plan
}

/** Thrown if the result of a call is not an encoded Plan. */
export class UndecodablePlanError extends BaseError {
  override readonly name = 'PlanCall.UndecodablePlanError'
  constructor() {
    super("The Quoter's result is not an encoded Plan.", { code: 'bad_result' })
  }
}
