import { priceParameters, priceResponse, tokensParameters, tokensResponse } from '@sluice/api'
import { type Client, getPrice, getTokens } from '@sluice/sdk'
import { z } from 'zod'
import { halving } from '../boundResult.js'
import { defineTool } from '../defineTool.js'
import { untrusted } from '../untrusted.js'

/** Maximum number of tokens in a result, to keep it short for a model. */
const maxTokens = 60

/** Texts of tokens, which anyone can write, in fields that say so. */
const marked = {
  untrusted_symbol: z.string().nullable(),
}

const { symbol: _, ...priceFacts } = priceResponse.shape.prices.element.shape
const tokenRow = tokensResponse.shape.tokens.element

export const getTokensTool = (client: Client) =>
  defineTool({
    title: 'List tokens, or read their decimals',
    description:
      'Returns address and decimals of the listed tokens of a chain. With `tokens` (addresses), returns those alone; use it ' +
      'to learn the decimals of any token. Never take a symbol for an identity: addresses identify tokens.',
    input: z.strictObject(tokensParameters.shape),
    output: z.object({
      ok: z.literal(true),
      chainId: tokensResponse.shape.chainId,
      tokens: z.array(
        z.object({
          address: tokenRow.shape.address,
          decimals: tokenRow.shape.decimals,
          source: tokenRow.shape.source,
          ...marked,
        }),
      ),
      tokensOmitted: z
        .number()
        .int()
        .describe(
          `Number of listed tokens beyond the first ${maxTokens}; ask for them by address.`,
        ),
      complete: tokensResponse.shape.complete,
    }),
    isOpenWorld: true,
    cuts: [halving(['tokens'], 'get_tokens with their addresses')],
    async run({ chain, tokens: asked }, signal) {
      const body = await getTokens(client, { chain, tokens: asked?.split(',') }, { signal })
      const shown = body.tokens.slice(0, maxTokens)
      return {
        ok: true as const,
        chainId: body.chainId,
        tokens: shown.map(({ address, decimals, source, symbol }) => ({
          ...{ address, decimals, source, untrusted_symbol: textOf(symbol) },
        })),
        tokensOmitted: body.tokens.length - shown.length + body.leftOut,
        complete: body.complete,
      }
    },
  })

export const getPriceTool = (client: Client) =>
  defineTool({
    title: 'Price tokens in USD',
    description:
      'Prices tokens by quotes of the service: each is bought for 1,000 USDC and sold again on the live pools. null means that ' +
      'there is no proven price; never report it as zero. `reason` says why.',
    input: z.strictObject(priceParameters.shape),
    output: z.object({
      ...priceResponse.shape,
      prices: z.array(z.object({ ...priceFacts, ...marked })),
    }),
    isOpenWorld: true,
    async run({ chain, tokens }, signal) {
      const body = await getPrice(client, { chain, tokens: tokens.split(',') }, { signal })
      const prices = body.prices.map(({ symbol, ...price }) => ({
        ...price,
        untrusted_symbol: textOf(symbol),
      }))
      return { ...body, prices }
    },
  })

function textOf(text: string | null): string | null {
  return text === null ? null : untrusted(text)
}
