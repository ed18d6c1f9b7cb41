import { decodeItem, quoteResponse } from '@sluice/api'
import {
  type Client,
  decodeQuote,
  getDeployments,
  getManifest,
  type PreparedRequest,
  prepareQuote,
} from '@sluice/sdk'
import { prepareRepeat, type RepeatableQuote, readRegistry } from '@sluice/sdk/verify'
import { z } from 'zod'
import { defineTool } from '../defineTool.js'
import { displayOf } from '../display.js'
import { quoteInput } from '../inputs.js'
import { decodeOutput, markResolved, prepareOutput, repeatOutput, wireOf } from '../outputs.js'
import { readInput } from './quotes.js'

export const prepareQuoteTool = (client: Client) =>
  defineTool({
    name: 'prepare_quote',
    title: 'Prepare a quote for your own node',
    description:
      "The eth_call that computes a quote, for a node of the user's own; no node is asked here. Run `rpcRequest` (or " +
      '`curl`) and give its result to decode_quote together with `request`, unchanged.',
    input: quoteInput,
    output: prepareOutput,
    isOpenWorld: true,
    async run(input, signal) {
      const { meaning, parameters } = readInput(input)
      const { curl, ...prepared } = await prepareQuote(client, parameters, { signal })
      const [, , override] = prepared.rpcRequest.params
      return { ...prepared, ...(override === undefined && { curl }), ...meaning }
    },
  })

const { amountIn, chainId, meta, tokenIn, tokenOut } = quoteResponse.shape
const repeatInput = z.strictObject({
  quote: z
    .looseObject({ chainId, tokenIn, tokenOut, amountIn, meta })
    .describe('The answer of get_quote, unchanged.'),
})

export const repeatQuoteTool = (client: Client) =>
  defineTool({
    name: 'repeat_quote',
    title: 'Repeat a quote on your own node',
    description:
      "The very eth_call behind an answer of get_quote, on its block, for a node of the user's own; no node is asked " +
      'here. Give its result to decode_quote together with `request`: `amountOut` and `route` must equal the quote.',
    input: repeatInput,
    output: repeatOutput,
    isOpenWorld: false,
    async run({ quote }, signal) {
      const [manifest, generations] = await Promise.all([
        getManifest(client, { signal }),
        getDeployments(client, {}, { signal }),
      ])
      const registry = readRegistry(manifest, generations)
      return prepareRepeat({ ...quote, amountIn: BigInt(quote.amountIn) } as RepeatableQuote, {
        registry,
      })
    },
  })

export const decodeQuoteTool = (client: Client) =>
  defineTool({
    name: 'decode_quote',
    title: "Decode a node's answer",
    description:
      "Turns a node's answer to the call of prepare_quote into a quote, with every check spelled out; a tampered answer " +
      'is refused by the name of the check. Pure: no node is asked.',
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
        display: displayOf(quote),
        ...(marked && { untrusted_resolved: marked }),
      }
    },
  })
