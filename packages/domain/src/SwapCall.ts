import { routerAbi } from '@sluice/abi'
import { type Address, type Hex, toFunctionSelector } from 'viem'
import type { Leg, Route } from './Plan.js'
import * as Words from './Words.js'

const selector = toFunctionSelector(
  routerAbi.find((item) => item.type === 'function' && item.name === 'swapExactIn') as Extract<
    (typeof routerAbi)[number],
    { name: 'swapExactIn' }
  >,
)

/**
 * Calldata of the Router's `swapExactIn`, for the amount that the route was quoted for.
 *
 * Written word by word, because every answer with a recipient waits for it. A test holds it to the ABI.
 */
export function encode(parameters: encode.Parameters): Hex {
  const { deadline, minOut, recipient, route } = parameters
  const order = `${Words.integer(route.amountIn)}${Words.integer(minOut)}${Words.address(recipient)}${Words.integer(deadline)}`
  return `${selector}${Words.integer(0xa0)}${order}${routeWords(route)}`
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

export declare namespace encode {
  type Parameters = {
    route: Route
    /** Least net output, in base units of `route.tokenOut`. */
    minOut: bigint
    recipient: Address
    /** Unix seconds; the last second in which the swap may happen. */
    deadline: bigint
  }
}
