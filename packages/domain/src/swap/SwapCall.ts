import type { Address, Hex } from 'viem'
import type { Leg, Route } from '../plan/Plan.js'
import * as Words from '../values/Words.js'
import type { IntegratorFee } from './IntegratorFee.js'
import type { SwapWay } from './SwapWay.js'

/** Selectors by way. Constants, so that pages need not carry the ABI; a test compares them with it. */
const selectors = {
  allowance: '0x720fec12',
  nativeIn: '0x689c12c3',
  nativeOut: '0xdac00843',
} as const

const feeSelector = '0x5482daa6'

/** Ways of payment without a signature. */
export type UnsignedWay = keyof typeof selectors

/**
 * Calldata of a swap for the route's `amountIn`: of `swapExactIn`, or of the function that takes or pays native coin, within
 * `swapWithIntegratorFee` if an integrator takes a part.
 *
 * Encodes by hand, because every quote with a recipient waits for it. A test compares it with the ABI.
 */
export function encode(parameters: encode.Parameters): Hex {
  const { deadline, integratorFee, minOut, recipient, route, way = 'allowance' } = parameters
  const terms = `${Words.integer(minOut)}${Words.address(recipient)}${Words.integer(deadline)}`
  // `swapExactInNative` has no amount parameter: it uses the value of the transaction.
  const head =
    way === 'nativeIn'
      ? `${Words.integer(0x80)}${terms}`
      : `${Words.integer(0xa0)}${Words.integer(route.amountIn)}${terms}`
  return withFee(`${selectors[way]}${head}${routeWords(route)}`, integratorFee)
}

/** Calldata of a swap of which an integrator takes a part: a call of `swapWithIntegratorFee`, with the swap's own in it. */
export function withFee(swap: Hex, fee: IntegratorFee | undefined): Hex {
  if (fee === undefined) return swap
  const digits = swap.slice(2)
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  const head = `${Words.address(fee.integrator)}${Words.integer(fee.bps)}${Words.integer(0x60)}`
  return `${feeSelector}${head}${Words.integer(digits.length / 2)}${padded}`
}

function routeWords(route: Route): string {
  const { amountIn, grossOut, impactBps, legs, tokenIn, tokenOut } = route
  const tokens = `${Words.address(tokenIn)}${Words.address(tokenOut)}`
  const numbers = `${Words.integer(amountIn)}${Words.integer(grossOut)}${Words.integer(impactBps)}`
  return `${tokens}${numbers}${Words.integer(0xc0)}${Words.integer(legs.length)}${legs.map(legWords).join('')}`
}

function legWords({ key, pool, share, tokenIn, tokenOut, venue }: Leg): string {
  const tokens = `${Words.address(tokenIn)}${Words.address(tokenOut)}`
  return `${Words.integer(venue)}${Words.address(pool)}${tokens}${Words.integer(key)}${Words.integer(share)}`
}

/** Parameters of a swap other than the route. */
export type Terms = {
  /** Minimum net output, in base units of `route.tokenOut`. */
  readonly minOut: bigint
  readonly recipient: Address
  /** Latest block time of the swap, in unix seconds. */
  readonly deadline: bigint
  /** Who takes a part of the output, beside the protocol. `minOut` is what is left after it. */
  readonly integratorFee?: IntegratorFee | undefined
}

export declare namespace encode {
  type Parameters = Terms & {
    route: Route
    /** @default 'allowance' */
    way?: UnsignedWay | undefined
  }
}

/** Native coin to send with a swap, in wei. */
export function coinOf(way: SwapWay, { amountIn }: Pick<Route, 'amountIn'>): bigint {
  return way === 'nativeIn' ? amountIn : 0n
}
