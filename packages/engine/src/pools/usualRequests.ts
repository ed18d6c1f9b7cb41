import { QuoteRequest, type Registry } from '@sluice/domain'
import { type Address, getAddress } from 'viem'
import type { Trade } from '../swaps/SwapStore.js'

/** Turns trades into requests with default options, at the gas price that nodes report. */
export function usualRequests(
  chain: Registry.ServedChain,
  trades: readonly Trade[],
): readonly QuoteRequest.QuoteRequest[] {
  const tokenOf = (address: Address) => ({ address: getAddress(address), isNative: false })
  return trades.map(({ amountIn, tokenIn, tokenOut }) => ({
    chain,
    tokenIn: tokenOf(tokenIn),
    tokenOut: tokenOf(tokenOut),
    amountIn,
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: QuoteRequest.defaultDeadlineSec,
    isExact: false,
    gasPrice: 0n,
    takesNodePrice: true,
    connectors: [],
  }))
}
