import type { Address, Hex } from 'viem'
import type { Leg, Route } from '../plan/Plan.js'
import * as Words from '../values/Words.js'
import type { SwapWay } from './SwapWay.js'

/** Selectors by way. Constants, so that pages need not carry the ABI; a test compares them with it. */
const selectors = {
  allowance: '0x720fec12',
  nativeIn: '0x689c12c3',
  nativeOut: '0xdac00843',
} as const

/** Ways of payment without a signature. */
export type UnsignedWay = keyof typeof selectors

/**
 * Calldata of a swap for the route's `amountIn`: of `swapExactIn`, or of the function that takes or pays native coin.
 *
 * Encodes by hand, because every quote with a recipient waits for it. A test compares it with the ABI.
 */
export function encode(parameters: encode.Parameters): Hex {
  const { deadline, minOut, recipient, route, way = 'allowance' } = parameters
  const terms = `${Words.integer(minOut)}${Words.address(recipient)}${Words.integer(deadline)}`
  // `swapExactInNative` has no amount parameter: it uses the value of the transaction.
  const head =
    way === 'nativeIn'
      ? `${Words.integer(0x80)}${terms}`
      : `${Words.integer(0xa0)}${Words.integer(route.amountIn)}${terms}`
  return `${selectors[way]}${head}${routeWords(route)}`
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
