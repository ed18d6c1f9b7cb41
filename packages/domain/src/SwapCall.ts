import { routerAbi } from '@sluice/abi'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Route } from './Plan.js'

/** Calldata of the Router's `swapExactIn`, for the amount that the route was quoted for. */
export function encode(parameters: encode.Parameters): Hex {
  const { deadline, minOut, recipient, route } = parameters
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'swapExactIn',
    args: [route, route.amountIn, minOut, recipient, deadline],
  })
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
