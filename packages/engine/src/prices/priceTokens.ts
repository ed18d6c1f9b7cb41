import { Addresses, type Quote, type Registry, type TokenFacts, UsdPrice } from '@sluice/domain'
import type { Address } from 'viem'
import type { QuoteAnswer, Settled } from '../quotes/getQuotes.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { demandAnswer, type QuoteMany, requestOf } from '../symbols/priceKnownTokens.js'
import type { ChainTokens } from '../tokens/createTokens.js'
import type { PricedToken } from './PricedToken.js'

type Options = {
  readonly quoteMany: QuoteMany
  readonly tokens: Pick<ChainTokens, 'read'>
  readonly signal: AbortSignal
  readonly caller?: string | undefined
}

/** A purchase of a token with USDC. */
type Purchase = { readonly facts: TokenFacts.TokenFacts; readonly answer: Settled<QuoteAnswer> }

/**
 * Prices tokens by quotes: buys each with USDC, then sells what that buys. Reported prices are not used. A token that is on
 * no list is sold in a dry run on the live pools, since it may refuse or tax sales.
 *
 * @throws QuoteError if a node fails. A token is never without a price for that reason.
 */
export async function priceTokens(
  chain: Registry.ServedChain,
  addresses: readonly Address[],
  { caller, quoteMany, signal, tokens }: Options,
): Promise<readonly PricedToken[]> {
  const options = { signal, caller }
  const read = await tokens.read(addresses, { signal })
  const wanted = read.flatMap((facts) =>
    facts && !Addresses.equal(facts.address, chain.usdc) ? [facts] : [],
  )
  const bought = await quoteMany(
    wanted.map(({ address }) =>
      requestOf(chain, { tokenIn: chain.usdc, tokenOut: address, amountIn: UsdPrice.probe }),
    ),
    options,
  )
  const purchases = wanted.map((facts, index): Purchase => ({ facts, answer: bought[index]! }))
  const held = purchases.filter(({ answer }) => amountOf(answer) > 0n)
  const sold = await quoteMany(
    held.map(({ answer, facts }) => ({
      ...requestOf(chain, {
        tokenIn: facts.address,
        tokenOut: chain.usdc,
        amountIn: amountOf(answer),
      }),
      isExact: facts.source === 'chain',
    })),
    options,
  )
  const sales = new Map(held.map((purchase, index) => [purchase.facts.address, sold[index]!]))
  return addresses.map((address, index): PricedToken => {
    const facts = read[index]
    const none = { address, facts, block: undefined }
    if (facts === undefined) return { ...none, verdict: UsdPrice.no('not_a_token') }
    const purchase = purchases.find((each) => each.facts.address === address)
    if (purchase === undefined) return { ...none, verdict: { ok: true, price: UsdPrice.ofUsdc } }
    return { ...none, ...judge(purchase, sales.get(address)) }
  })
}

function judge(
  { answer: bought }: Purchase,
  sold: Settled<QuoteAnswer> | undefined,
): Pick<PricedToken, 'verdict' | 'block'> {
  const block = bought.ok ? bought.value.block : undefined
  if (!bought.ok || sold === undefined) return { verdict: UsdPrice.no('no_route'), block }
  if (!sold.ok) return { verdict: UsdPrice.no(causeOf(sold.error)), block }
  const { quote } = sold.value
  return { verdict: judgeSale(bought.value.quote, quote), block: sold.value.block }
}

function judgeSale(bought: Quote.Quote, sold: Quote.Quote): UsdPrice.Verdict {
  if (!sold.canExecute) return UsdPrice.no('not_sellable')
  const isTaxed = sold.warnings.some(({ code }) => code === 'taxed_token')
  return isTaxed ? UsdPrice.no('taxed') : UsdPrice.of(bought.plan, sold.plan)
}

/** Why there is no sale. @throws the error of a failed node */
function causeOf(error: unknown): UsdPrice.Cause {
  demandAnswer(error)
  const hasFailed =
    error instanceof QuoteError && error.details.some(({ code }) => failedRuns.has(code))
  return hasFailed ? 'not_sellable' : 'no_route'
}

const failedRuns: ReadonlySet<string> = new Set(['transfer_paused', 'dry_run_failed'])

/** What a quote delivers before the fee; zero if there is no route. @throws the error of a failed node */
function amountOf(answer: Settled<QuoteAnswer>): bigint {
  if (answer.ok) return answer.value.quote.plan.route.grossOut
  demandAnswer(answer.error)
  return 0n
}
