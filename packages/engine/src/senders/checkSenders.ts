import { Quote, Readiness } from '@sluice/domain'
import type { ChainState } from '../ChainState.js'
import { findBalanceSlots } from '../holdings/findBalanceSlots.js'
import {
  type Limits,
  maxHoldingsRequests,
  type QuoteAnswer,
  type Settled,
} from '../quotes/getQuotes.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { type PinnedResult, readPinned } from '../quotes/readPinned.js'
import { within } from '../support/within.js'
import { permitCalls, readPermit, type Signed } from './permitCalls.js'
import { codeCall, hasCode, isContract } from './readCode.js'
import { callsOf, readState } from './senderCalls.js'

/** Timeout for finding a token's balance slot, in milliseconds. */
const slotWaitMs = 250

/**
 * Reads what the senders of quotes hold and have approved, and simulates the transactions that remain, one after the
 * other. All reads are on the block of the quotes, in one request to a node.
 *
 * @returns The answers in order. Those without a sender are unchanged.
 */
export async function checkSenders(
  state: ChainState,
  answers: readonly Settled<QuoteAnswer>[],
  given: Omit<readPinned.Options, 'budgetMs' | 'block'> & Limits,
): Promise<readonly Settled<QuoteAnswer>[]> {
  const places = answers.flatMap((answer, place) =>
    answer.ok && hasSender(answer.value.quote) ? [{ place, answer: answer.value }] : [],
  )
  const first = places[0]
  if (first === undefined) return answers
  const { endsAt, ...options } = given
  const leftMs = () => endsAt - performance.now()
  const wanted = places.map(({ answer: { quote } }) => {
    const { sender, tokenIn } = quote.request
    return tokenIn.isNative ? undefined : { token: tokenIn.address, holder: sender! }
  })
  const { budget: forHeads } = options
  const budget = forHeads.part('holdings', maxHoldingsRequests)
  const how = { ...options, budget, forHeads, budgetMs: leftMs() }
  const found = findBalanceSlots(state, wanted, how)
  const slots = (await within(slotWaitMs, found)) ?? []
  const asked = places.map(({ answer: { quote }, place }, index) => {
    const slot = slots[index]
    const funds = slot === undefined ? undefined : { slot, amount: quote.soldRoute.amountIn }
    const own = { quote, calls: callsOf(quote, funds) }
    const permit = permitCalls(quote)
    if (permit.length === 0) {
      const kind = quote.permit === undefined ? undefined : codeCall(quote.request.sender!)
      return { place, funds, own, permit, kind }
    }
    const now = BigInt(Math.floor(given.now() / 1_000))
    const approved = Quote.byApproval(quote, { now })
    const instead = { quote: approved, calls: callsOf(approved, funds) }
    return { place, funds, own, permit, instead, kind: codeCall(quote.request.sender!) }
  })
  const { block } = first.answer
  const calls = asked.flatMap(({ instead, kind, own, permit }) => [
    ...own.calls,
    ...permit,
    ...(instead ? instead.calls : []),
    ...(kind ? [kind] : []),
  ])
  const read = await readPinned(state, calls, { ...options, block, budgetMs: leftMs() })
  const checked = [...answers]
  const results: Iterator<PinnedResult> | undefined = read.ok ? read.results.values() : undefined
  for (const { funds, instead, kind, own, permit, place } of asked) {
    const take = (count: number) => Array.from({ length: count }, () => results!.next().value!)
    const { value } = answers[place] as Extract<Settled<QuoteAnswer>, { ok: true }>
    if (results === undefined) {
      checked[place] = { ok: false, error: unread(state, value) }
      continue
    }
    const isFunded = funds !== undefined
    const [looks, signed] = [take(own.calls.length), take(permit.length)]
    const insteadLooks = take(instead?.calls.length ?? 0)
    const account = kind && take(1)[0]
    checked[place] =
      instead && isContract(account)
        ? settle(value, { quote: instead.quote, isFunded, looks: insteadLooks, signed: [] })
        : settle(value, { quote: ofAccount(own.quote, account), isFunded, looks, signed })
  }
  return checked
}

/** The quote with what its sender's account tells about the permit. */
function ofAccount(quote: Quote.Quote, account: PinnedResult | undefined): Quote.Quote {
  const { permit } = quote
  return permit && hasCode(account)
    ? { ...quote, permit: { ...permit, ownerHasCode: true } }
    : quote
}

function hasSender({ request, terms }: Quote.Quote): boolean {
  return request.sender !== undefined && terms !== undefined
}

function settle(
  value: QuoteAnswer,
  parts: {
    quote: Quote.Quote
    isFunded: boolean
    looks: readonly PinnedResult[]
    signed: readonly PinnedResult[]
  },
): Settled<QuoteAnswer> {
  const { isFunded, looks, quote, signed } = parts
  const found: Signed = readPermit(quote, signed)
  const state = readState(quote, looks, { isFunded })
  if (state === undefined) {
    const message = 'The token of `in` does not return a valid balance or allowance of the sender.'
    const error = new QuoteError('no_route', message, {
      rpcTried: value.rpcTried,
      details: [
        { field: 'in', code: 'dry_run_failed', reason: 'returns no valid balance or allowance' },
      ],
    })
    return { ok: false, error }
  }
  return { ok: true, value: { ...value, quote: Readiness.apply({ ...quote, ...found }, state) } }
}

function unread({ chain }: ChainState, { rpcTried }: QuoteAnswer): QuoteError {
  const message = `No node of ${chain.name} returned the sender's balance on the block of the quote.`
  return new QuoteError('rpc_unreachable', message, { rpcTried })
}
