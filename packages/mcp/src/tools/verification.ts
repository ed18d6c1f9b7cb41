import { decodeItem, quoteResponse } from '@sluice/api'
import {
  type Client,
  decodeQuote,
  getDeployments,
  getManifest,
  type Overrides,
  type PreparedRequest,
  prepareQuote,
} from '@sluice/sdk'
import { prepareRepeat, type RepeatableQuote, readRegistry } from '@sluice/sdk/verify'
import { z } from 'zod'
import { removing } from '../boundResult.js'
import { defineTool } from '../defineTool.js'
import { displayOf } from '../display.js'
import { quoteInput } from '../inputs.js'
import {
  decodeOutput,
  markResolved,
  markTokens,
  prepareOutput,
  repeatOutput,
  wireOf,
} from '../outputs.js'
import { readInput } from './quotes.js'

/** The call and its command contain the same; together they are too long only if nothing is deployed. */
const cutsOfCall = ['curl', 'rpcRequest'].map((member) =>
  removing([member], 'GET /api/quote/prepare with the same parameters, or `sluice prepare`'),
)

export const prepareQuoteTool = (client: Client) =>
  defineTool({
    title: 'Prepare a quote for your own node',
    description:
      "Returns the eth_call that computes a quote, for the user's own node; the service asks no node. Run `rpcRequest` (or " +
      '`curl`) and pass its result to decode_quote with the unchanged `request`.',
    input: quoteInput,
    output: prepareOutput,
    isOpenWorld: true,
    cuts: cutsOfCall,
    async run(input, signal) {
      const { meaning, parameters } = await readInput(client, input, signal)
      return { ...(await prepareQuote(client, parameters, { signal })), ...meaning }
    },
  })

const { amountIn, chainId, exactOutput, meta, tokenIn, tokenOut } = quoteResponse.shape
const repeatInput = z.strictObject({
  quote: z
    .looseObject({ chainId, tokenIn, tokenOut, amountIn, exactOutput, meta })
    .describe('The result of get_quote, unchanged.'),
  overrides: quoteInput.shape.overrides.describe('`overrides` of get_quote, if it was sent.'),
})

export const repeatQuoteTool = (client: Client) =>
  defineTool({
    title: 'Repeat a quote on your own node',
    description:
      "Returns the eth_call behind a result of get_quote, on its block, for the user's own node; the service asks no node. " +
      'Pass its result to decode_quote with `request`: `amountOut` and `route` must equal those of the quote.',
    input: repeatInput,
    output: repeatOutput,
    isOpenWorld: false,
    cuts: cutsOfCall,
    async run({ overrides, quote }, signal) {
      const [manifest, generations] = await Promise.all([
        getManifest(client, { signal }),
        getDeployments(client, {}, { signal }),
      ])
      const registry = readRegistry(manifest, generations)
      return prepareRepeat({ ...quote, amountIn: BigInt(quote.amountIn) } as RepeatableQuote, {
        registry,
        ...(overrides !== undefined && { overrides: overrides as Overrides | string }),
      })
    },
  })

export const decodeQuoteTool = (client: Client) =>
  defineTool({
    title: "Decode a node's response",
    description:
      "Turns a node's response to the call of prepare_quote into a quote and lists every check. A tampered response " +
      'is rejected with the name of the failed check. Asks no node.',
    input: decodeItem,
    output: decodeOutput,
    isOpenWorld: false,
    async run({ request, result }, signal) {
      const quote = await decodeQuote(
        client,
        {
          request: request as PreparedRequest,
          result: typeof result === 'string' ? result : result.result,
        },
        { signal },
      )
      const marked = markResolved((quote as { resolved?: unknown }).resolved)
      return {
        ...wireOf(quote),
        tokens: markTokens(quote.tokens),
        display: displayOf(quote),
        ...(marked && { untrusted_resolved: marked }),
      }
    },
  })
