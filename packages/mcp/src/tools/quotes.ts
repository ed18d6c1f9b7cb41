import { maxBatchItems } from '@sluice/api'
import { type Client, getQuote, getQuotes, type Quote, type QuoteParameters } from '@sluice/sdk'
import { z } from 'zod'
import { type Interpretation, interpret } from '../amount.js'
import { boundExplanation } from '../boundExplanation.js'
import { type Cut, halving, removing } from '../boundResult.js'
import { defineTool } from '../defineTool.js'
import { displayOf } from '../display.js'
import { type QuoteInput, quoteInput } from '../inputs.js'
import { markResolved, markTokens, quoteOutput, quotesOutput, wireOf } from '../outputs.js'
import { failureOf, ToolError } from '../ToolError.js'
import { visible } from '../untrusted.js'

/** Parameters for the SDK, and how the amount was read. */
export async function readInput(
  client: Client,
  input: QuoteInput,
  signal: AbortSignal,
): Promise<{ parameters: QuoteParameters; meaning: Interpretation }> {
  const { amount, amountSide = 'in', amountUnit, connectors, pools, ...rest } = input
  const given = { chain: String(input.chain), in: input[amountSide], amount, amountUnit }
  const meaning = await interpret(client, given, signal)
  const parameters = {
    ...rest,
    chain: String(input.chain),
    [amountSide === 'out' ? 'amountOut' : 'amountIn']: meaning.amountInBase,
    connectors: connectors?.split(','),
    pools: pools?.split(','),
  } as unknown as QuoteParameters
  return { parameters, meaning }
}

function answerOf(quote: Quote, meaning: Interpretation) {
  const marked = markResolved((quote as { resolved?: unknown }).resolved)
  const tokens = markTokens(quote.tokens)
  return {
    ...wireOf(quote),
    ...(quote.explain && { explain: boundExplanation(quote.explain) }),
    ...meaning,
    tokens,
    display: displayOf(quote),
    ...(marked && { untrusted_resolved: marked }),
  }
}

export const getQuoteTool = (client: Client) =>
  defineTool({
    title: 'Quote a swap',
    description:
      'Returns the best executable route for a swap and its output after the fee. With `recipient` the result has an ' +
      'unsigned transaction `tx`, which the user checks and signs in their own wallet. ' +
      '`amountOut` is the figure to compare.',
    input: quoteInput,
    output: quoteOutput,
    isOpenWorld: true,
    cuts: [
      halving(['explain', 'pools'], 'GET /api/quote with explain=1'),
      removing(['meta', 'call'], 'GET /api/quote, or prepare_quote for the latest block'),
    ],
    async run(input, signal) {
      const { meaning, parameters } = await readInput(client, input, signal)
      return answerOf(await getQuote(client, parameters, { signal }), meaning)
    },
  })

/** Accepts any item, so that a malformed one fails alone and the others are quoted. */
const batchItem = z.union([quoteInput, z.unknown()])

async function readItem(client: Client, item: z.infer<typeof batchItem>, signal: AbortSignal) {
  const parsed = quoteInput.safeParse(item)
  try {
    if (parsed.success)
      return { ok: true as const, value: await readInput(client, parsed.data, signal) }
  } catch (error) {
    return { ok: false as const, failure: failed(error) }
  }
  const [issue] = parsed.error!.issues
  const error = `${issue!.path.join('.') || 'request'}: ${issue!.message}`
  return { ok: false as const, failure: failed(new ToolError({ code: 'bad_param', error })) }
}

function failed(thrown: unknown) {
  const { code, error, explain, retryable } = failureOf(thrown)
  return { ok: false as const, code, error: visible(error), retryable, ...(explain && { explain }) }
}

const alone = 'get_quote for this trade'

/** Replaces the last whole quote by an error that says how to get it. The order of the results stays. */
const lastQuote: Cut = {
  member: 'results',
  how: alone,
  cut(result) {
    const results = [...(result['results'] as { ok: boolean }[])]
    const place = results.findLastIndex(({ ok }) => ok)
    if (place < 0) return undefined
    const error = `The quote was left out, because the result is too long: call ${alone}.`
    results[place] = failed(new ToolError({ code: 'too_large', error, retryable: false }))
    return { result: { ...result, results }, count: 1 }
  },
}

/** Removes the explanations of all quotes. */
const explanations: Cut = {
  member: 'results.explain',
  how: alone,
  cut(result) {
    const results = result['results'] as Record<string, unknown>[]
    const count = results.filter(({ explain }) => explain !== undefined).length
    if (count === 0) return undefined
    const without = results.map(({ explain: _, ...rest }) => rest)
    return { result: { ...result, results: without }, count }
  },
}

export const getQuotesTool = (client: Client) =>
  defineTool({
    title: 'Quote several swaps',
    description:
      `Returns up to ${maxBatchItems} quotes, in the order of the requests; quotes on one chain share one block. ` +
      'Each item is a quote as from get_quote, or an error.',
    input: z.strictObject({ requests: z.array(batchItem).min(1).max(maxBatchItems) }),
    output: quotesOutput,
    isOpenWorld: true,
    cuts: [explanations, lastQuote],
    async run({ requests }, signal) {
      const read = await Promise.all(requests.map((item) => readItem(client, item, signal)))
      const asked = read.flatMap((item) => (item.ok ? [item.value] : []))
      const quotes =
        asked.length === 0
          ? []
          : await getQuotes(
              client,
              asked.map(({ parameters }) => parameters),
              { signal },
            )
      const results = read.map((item) => {
        if (!item.ok) return item.failure
        const place = asked.indexOf(item.value)
        const quote = quotes[place]!
        return quote.ok ? answerOf(quote.value, item.value.meaning) : failed(quote.error)
      })
      return { ok: true as const, count: results.length, results }
    },
  })
