import { decodeItem } from '@sluice/api'
import { type Client, decodeQuote, type PreparedRequest, prepareQuote } from '@sluice/sdk'
import { defineTool } from '../defineTool.js'
import { displayOf } from '../display.js'
import { quoteInput } from '../inputs.js'
import { decodeOutput, markResolved, prepareOutput } from '../outputs.js'
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
      return { ...(await prepareQuote(client, parameters, { signal })), ...meaning }
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
        ...quote,
        display: displayOf(quote),
        ...(marked && { untrusted_resolved: marked }),
      }
    },
  })
