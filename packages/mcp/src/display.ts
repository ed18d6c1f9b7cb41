import { Chains, Decimals, KnownTokens } from '@sluice/domain'
import type { Quote } from '@sluice/sdk'

/** Describes the quote in one sentence. Uses only numbers, addresses and well-known symbols, never a token's own texts. */
export function displayOf(quote: Quote): string {
  const chain = Chains.find(quote.chainId)?.name ?? `chain ${quote.chainId}`
  const give = amountOf(quote, quote.tokenIn, quote.amountIn)
  const get = amountOf(quote, quote.tokenOut, quote.amountOut)
  const numbers = quote.quote
  if (!numbers) return `On ${chain}, ${give} buys ${get} after the fee.`
  const least = amountOf(quote, quote.tokenOut, numbers.effectiveMinOut)
  const most = quote.exactOutput?.amountInMax
  const sold =
    most === undefined ? '' : `at most ${amountOf(quote, quote.tokenIn, most)} are sold; `
  const impact = (numbers.impactBps / 100).toFixed(2)
  const state = numbers.canExecute
    ? ''
    : ` It cannot be executed: ${numbers.reason ?? 'no reason given'}`
  return `On ${chain}, ${give} buys ${get} after the 0.28 % fee, at least ${least} or the swap reverts; ${sold}price impact ${impact} %.${state}`
}

function amountOf({ chainId }: Quote, token: string, amount: bigint): string {
  const chain = Chains.find(chainId)
  const known = chain && KnownTokens.at(chain, token)
  if (known === undefined) return `${amount} base units of ${token}`
  return `${Decimals.toHuman(amount, known.decimals)} ${known.symbol}`
}
