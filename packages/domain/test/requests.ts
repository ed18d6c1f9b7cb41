import type { QuoteRequest, Registry } from '../src/index.js'
import { tokens } from './deployments.js'

/** A request to sell 1,000,000 base units of WETH for USDC, with the defaults of the API and without a gas price. */
export function requestOn(
  chain: Registry.ServedChain,
  changes: Partial<QuoteRequest.QuoteRequest> = {},
): QuoteRequest.QuoteRequest {
  return {
    chain,
    tokenIn: { address: tokens.weth, isNative: false },
    tokenOut: { address: tokens.usdc, isNative: false },
    amountIn: 1_000_000n,
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: 120,
    isExact: false,
    gasPrice: 0n,
    connectors: [],
    ...changes,
  }
}
