import { swapsAbi } from '@sluice/abi'
import {
  Addresses,
  Amounts,
  IntegratorFee,
  Minimum,
  type QuoteRequest,
  SoldRoute,
  SwapCall,
  SwapWay,
} from '@sluice/domain'
import { type Abi, type DecodeFunctionDataReturnType, decodeFunctionData } from 'viem'
import type { Quote, Route } from '../amounts.js'
import { type QuoteParameters, refused } from '../parameters.js'
import type { Address, Hex } from '../wire.js'
import { demand } from './demand.js'
import { demandSources } from './demandSources.js'
import type { Registry } from './registry.js'
import { resolveRequest } from './resolveRequest.js'

/** A transaction from a quote or from a wallet, before it is signed. */
export type UnverifiedTransaction = {
  readonly to?: string | null | undefined
  readonly data?: string | undefined
  readonly value?: bigint | string | number | undefined
}

/** The request, quote and registry that a transaction is compared with. */
export type VerifyOptions = {
  /** The request of the quote, with `recipient`. */
  request: QuoteParameters
  /** The quote that the user accepted. */
  quote: Quote
  registry: Registry
  /** Unix seconds. @default the clock */
  now?: number | undefined
  /** Maximum difference between the chain's time and this clock, in seconds. @default 30 */
  clockSkewSec?: number | undefined
}

/** What the transaction does, decoded from its calldata. */
export type VerifiedTransaction = {
  readonly to: Address
  readonly data: Hex
  /** Native coin to send, in wei: the input if the request sells ETH on 2.0.0, otherwise 0. */
  readonly value: bigint
  /** Generation of the Router at `to`. */
  readonly version: string
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  /** Minimum that the recipient is paid, in base units of `tokenOut`; with less, the swap reverts. */
  readonly minOut: bigint
  readonly recipient: Address
  /** Latest block time of the swap, in unix seconds. */
  readonly deadline: bigint
  readonly route: Route
  /** Who takes a part of the output, and its basis points; `minOut` is after it. */
  readonly integratorFee?: { readonly integrator: Address; readonly bps: number } | undefined
}

/**
 * Decodes the calldata of a swap and compares every field with the request and the quote. Call it before you sign.
 *
 * Does not check that the pools of the route are genuine, because the Router does. A route that does not deliver `minOut`
 * reverts. Names in `includeSources` and `excludeSources` need a registry with the chain's venues (`withSources`).
 *
 * @throws IntegrityError with the field that differs; InvalidParameterError if the request itself is invalid.
 */
export function verifyTransaction(
  tx: UnverifiedTransaction,
  options: VerifyOptions,
): VerifiedTransaction {
  const { data, to, value } = tx ?? {}
  const asked = readAsked(options)
  const { router } = asked.chain.contracts
  demand(
    typeof to === 'string' && Addresses.equal(to, router),
    'to',
    `The transaction is not for the Router ${router}`,
  )
  const way = SwapWay.of({ ...asked, signature: undefined }) as SwapCall.UnsignedWay
  const coin = SwapCall.coinOf(way, { amountIn: soldOf(asked, options.quote) })
  if (coin === 0n) demand(isNothing(value), 'value', 'The transaction sends native coin')
  else demand(isAmount(value, coin), 'value', `The transaction does not send ${coin} wei`)
  const { data: canonical, ...call } = readCalldata(data, way, asked.integratorFee)

  demandTerms(call, asked, options)
  const { tokenIn, tokenOut } = call.route
  const { chain, integratorFee } = asked
  const { version } = chain
  const swap = { to: router, data: canonical, value: coin, version, tokenIn, tokenOut, ...call }
  return { ...swap, ...(integratorFee && { integratorFee }) }
}

/** @internal A request that has a recipient, on a chain with a Router. */
export type Asked = QuoteRequest.QuoteRequest & { readonly recipient: Address }

/** @internal Resolves the request of a swap. */
export function readAsked({ registry, request }: VerifyOptions): Asked {
  const asked = resolveRequest(registry, { ...request, includeSources: null, excludeSources: null })
  const { chain, overrides, recipient } = asked
  if (overrides) throw refused('overrides', 'must be absent: there is nothing to sign with it')
  if (recipient === undefined) throw refused('recipient', 'is required', 'bad_recipient')
  const isDeployed = !Addresses.equal(chain.contracts.router, Addresses.zero)
  demand(isDeployed, 'to', 'The Router is not deployed on this chain')
  return { ...asked, recipient }
}

/** @internal Compares the terms of a swap with the request and the quote, whatever pays for it. */
export function demandTerms(call: SwapArguments, asked: Asked, options: VerifyOptions): void {
  const { clockSkewSec = 30, now = Math.floor(Date.now() / 1_000), quote } = options
  const { route } = call
  demandAddress(route.tokenIn, asked.tokenIn.address, 'tokenIn')
  demandAddress(route.tokenOut, asked.tokenOut.address, 'tokenOut')
  demandAddress(call.recipient, asked.recipient, 'recipient')
  demandSources(route, asked, options)
  const amountIn = soldOf(asked, quote)
  demand(call.amountIn === amountIn, 'amountIn', 'The calldata sells another amount')
  demand(quote.chainId === asked.chain.chainId, 'chainId', 'The quote is for another chain')
  demand(
    isSameRoute(route, quote.route),
    'route',
    'The route in the calldata differs from the quote',
  )
  demandMinimum(call, quote, asked)
  const horizon = { from: now - clockSkewSec, to: now + asked.deadlineSec + clockSkewSec }
  const isInTime = call.deadline >= BigInt(horizon.from) && call.deadline <= BigInt(horizon.to)
  demand(isInTime, 'deadline', 'The deadline is past, or later than requested')
}

/**
 * Amount that the swap of a quote sells, in base units: what was asked to be sold or, for an output, the quoted input with
 * the padding that the request allows.
 *
 * @internal
 */
export function soldOf(
  { amountIn, amountOut, slippageBps }: QuoteRequest.QuoteRequest,
  quote: Quote,
): bigint {
  return amountOut === undefined ? amountIn : SoldRoute.maxInput(quote.amountIn, slippageBps)
}

/** Whether a value is absent or zero. The value may come from untrusted JSON; a malformed one is not zero. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || /^(0*|0x0*)$/.test(String(value))
}

/** Whether a value from untrusted JSON, in decimal or as a JSON-RPC quantity, equals an amount. */
function isAmount(value: unknown, amount: bigint): boolean {
  return /^([0-9]+|0x[0-9a-f]+)$/i.test(String(value)) && BigInt(String(value)) === amount
}

/** @internal */
export type SwapArguments = Pick<
  VerifiedTransaction,
  'amountIn' | 'deadline' | 'minOut' | 'recipient' | 'route'
>

const functionNames = {
  allowance: 'swapExactIn',
  nativeIn: 'swapExactInNative',
  nativeOut: 'swapExactInForNative',
} as const

/** Decodes the arguments. Rejects anything but their canonical encoding, to the last byte. */
function readCalldata(
  data: unknown,
  way: SwapCall.UnsignedWay,
  integratorFee: IntegratorFee.IntegratorFee | undefined,
): SwapArguments & { data: Hex } {
  const text = String(data ?? '').toLowerCase() as Hex
  const decoded = tryDecode(integratorFee === undefined ? text : readWithFee(text, integratorFee))
  const name = functionNames[way]
  demand(decoded?.functionName === name, 'selector', `The calldata is not a call of ${name}`)
  const { amountIn, deadline, minOut, recipient, route } = argumentsOf(decoded)
  demand(route.amountIn === amountIn, 'amountIn', 'The route was quoted for another amount')
  const canonical = tryEncode({ route, way, minOut, recipient, deadline, integratorFee })
  demand(canonical === text, 'encoding', 'The calldata is not in the canonical encoding')
  return { route, amountIn, minOut, recipient, deadline, data: canonical }
}

/** The swap within a call of `swapWithIntegratorFee`, whose fee must be the requested one. */
function readWithFee(data: Hex, { bps, integrator }: IntegratorFee.IntegratorFee): Hex {
  const decoded = tryDecode(data)
  demand(
    decoded?.functionName === 'swapWithIntegratorFee',
    'selector',
    'The calldata is not a call of swapWithIntegratorFee',
  )
  const [paid, feeBps, swap] = decoded.args
  demandAddress(paid, integrator, 'integrator')
  demand(
    feeBps === BigInt(bps),
    'integratorFeeBps',
    `The integrator would take ${feeBps} basis points, not ${bps}`,
  )
  return swap
}

type DecodedCall = DecodeFunctionDataReturnType<typeof swapsAbi>

function argumentsOf(decoded: DecodedCall): SwapArguments {
  if (decoded.functionName === 'swapExactInNative') {
    const [route, minOut, recipient, deadline] = decoded.args
    return { route, amountIn: route.amountIn, minOut, recipient, deadline }
  }
  const { args } = decoded as Extract<DecodedCall, { functionName: 'swapExactIn' }>
  const [route, amountIn, minOut, recipient, deadline] = args
  return { route, amountIn, minOut, recipient, deadline }
}

/** Decodes a call of any Router. The ABI of 2.0.0 contains the functions of 1.0.0. */
function tryDecode(data: Hex): DecodedCall | undefined {
  try {
    return decodeFunctionData({ abi: swapsAbi satisfies Abi, data })
  } catch {
    return undefined
  }
}

/** Encodes the arguments again; `undefined` if a number exceeds its type, which the decoder accepts and the chain does not. */
function tryEncode(parameters: SwapCall.encode.Parameters): Hex | undefined {
  try {
    return SwapCall.encode(parameters)
  } catch {
    return undefined
  }
}

/** Checks that the minimum equals the quote's, and is at least what the request and the route's own numbers allow. */
function demandMinimum(
  { minOut, route }: SwapArguments,
  quote: Quote,
  { amountOut, integratorFee, slippageBps }: QuoteRequest.QuoteRequest,
) {
  demand(route.impactBps <= Amounts.wholeBps, 'impactBps', 'The price impact is above 100 %')
  const netOut = IntegratorFee.netOf(route.grossOut, integratorFee)
  demand(
    quote.amountOut === netOut,
    'amountOut',
    'The output of the quote does not follow from its route',
  )
  const ironFloor = IntegratorFee.ironFloorOf(route, integratorFee)
  const least = Minimum.from({ netOut, ironFloor, slippageBps, amountOut })
  demand(minOut >= least, 'minOut', `The calldata accepts ${minOut}, less than ${least}`)
  const said = quote.quote?.effectiveMinOut ?? least
  demand(minOut === said, 'minOut', `The calldata demands ${minOut}, the quote says ${said}`)
}

function isSameRoute(a: Route, b: Route): boolean {
  const same = (left: object, right: object, names: readonly string[]) =>
    names.every((name) => {
      const [x, y] = [left[name as never], right[name as never]] as unknown[]
      return String(x).toLowerCase() === String(y).toLowerCase()
    })
  return (
    same(a, b, ['tokenIn', 'tokenOut', 'amountIn', 'grossOut', 'impactBps']) &&
    a.legs.length === b.legs.length &&
    a.legs.every((leg, index) =>
      same(leg, b.legs[index]!, ['venue', 'pool', 'tokenIn', 'tokenOut', 'key', 'share']),
    )
  )
}

function demandAddress(found: string, expected: string, name: string) {
  demand(Addresses.equal(found, expected), name, `The calldata has ${found}, not ${expected}`)
}
