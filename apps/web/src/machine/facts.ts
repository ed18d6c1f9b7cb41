import type { Quote } from '@sluice/sdk'
import type { Purpose, Shown, Token } from './State.js'

/** Price impact from which the page warns, and from which consent is typed, in basis points. */
export const [warnImpactBps, consentImpactBps] = [500, 1_500] as const
/** What is typed to take such an impact. */
export const consentWords = 'swap anyway'

/** A deadline this near is renewed before anything is signed, in milliseconds. */
export const nearDeadlineMs = 60_000
/** Without a deadline of its own a quote is too old to be signed after this. */
export const oldQuoteMs = 120_000

/** What has to be signed next; `undefined` if the swap cannot be made. */
export function nextPurpose({ calls, permit, tx }: Quote): Purpose | 'sign' | undefined {
  const afterCalls = tx !== undefined ? 'swap' : permit !== undefined ? 'sign' : undefined
  return calls?.[0]?.purpose ?? afterCalls
}

/** Whether the swap can be signed now, if need be after a permit of it. */
export function isSwapNext(quote: Quote): boolean {
  const purpose = nextPurpose(quote)
  return purpose === 'swap' || purpose === 'sign'
}

export function lacksAllowance({ issues }: Quote): boolean {
  return issues?.allowance !== undefined
}

/** The calls of a quote if more than one remains. */
export function isSeveral({ calls }: Quote): boolean {
  return (calls?.length ?? 0) > 1
}

export function lacksBalance({ issues }: Quote): boolean {
  return issues?.balance !== undefined
}

/** When the swap's own deadline passes, in unix milliseconds. */
export function endsAt({ at, quote }: Shown): number {
  const deadline = quote.tx?.deadline ?? quote.permit?.deadline
  return deadline === undefined ? at + oldQuoteMs : Number(deadline) * 1_000
}

export function impactOf({ quote }: Quote): number {
  return quote?.impactBps ?? 0
}

export function minOutOf({ amountOut, quote }: Quote): bigint {
  return quote?.effectiveMinOut ?? amountOut
}

/** What the swap sells. For an output that the reader fixes, this is the quoted input with room for the price to move. */
export function soldOf({ amountIn, exactOutput }: Quote): bigint {
  return exactOutput?.amountInMax ?? amountIn
}

/** Whether the next quote is at least as good as the agreed one, so that the reader need not confirm it again. */
export function isNoWorse(next: Quote, agreed: Quote): boolean {
  return (
    next.amountOut >= agreed.amountOut &&
    minOutOf(next) >= minOutOf(agreed) &&
    soldOf(next) <= soldOf(agreed) &&
    !(impactOf(next) > consentImpactBps && impactOf(agreed) <= consentImpactBps)
  )
}

/** The reason for which the swap cannot be made, in the words of the answer. */
export function obstacleOf(quote: Quote, { tokenIn }: { tokenIn: Token }): string | undefined {
  const { issues, quote: numbers } = quote
  if (numbers?.canExecute === false)
    return `This swap cannot be made: ${numbers.reason ?? 'the reason is not known'}`
  if (issues?.simulation !== undefined)
    return `This swap would fail (${issues.simulation.code}): ${issues.simulation.error}`
  if (issues !== undefined && !lacksBalance(quote) && nextPurpose(quote) === undefined)
    return quote.txReason ?? `There is no transaction for ${tokenIn.symbol} now.`
  return undefined
}

/** The name of an answer: its question, its block, and its place among all answers. */
export function idOf(key: string, quote: Quote, answer: number): string {
  return `${key}@${quote.meta?.blockNumber ?? '?'}#${answer}`
}
