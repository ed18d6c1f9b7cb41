import { swapsAbi } from '@sluice/abi'
import { decodeFunctionData, type Hex } from 'viem'
import type { Route } from '../plan/Plan.js'

/**
 * The route in the calldata of a swap, of any Router and any way of payment; `undefined` if it has none, such as calldata of
 * another contract that calls a Router.
 */
export function of(data: Hex): Route | undefined {
  for (const argument of argumentsOf(data)) {
    if (isRoute(argument)) return argument
    // The call of a swap of which an integrator takes a part contains the swap's own.
    const inner =
      typeof argument === 'string' && argument.length > 10 ? of(argument as Hex) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

function argumentsOf(data: Hex): readonly unknown[] {
  try {
    return decodeFunctionData({ abi: swapsAbi, data }).args ?? []
  } catch {
    return []
  }
}

function isRoute(argument: unknown): argument is Route {
  return typeof argument === 'object' && argument !== null && 'legs' in argument
}
