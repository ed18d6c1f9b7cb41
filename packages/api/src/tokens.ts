import { TokenFacts, UsdPrice } from '@sluice/domain'
import { z } from 'zod'
import { address, hex, integer } from './fields.js'
import { quoteParameters } from './parameters.js'

/** Maximum number of tokens in a query of GET /api/tokens. */
export const maxAskedTokens = 20
/** Maximum number of tokens in a list. */
export const maxListedTokens = 1_000
/** Maximum number of tokens in a query of GET /api/price. */
export const maxPricedTokens = 10

const tokensText = z.string()

/** Query of GET /api/tokens. */
export const tokensParameters = z.object({
  chain: quoteParameters.shape.chain,
  tokens: tokensText
    .optional()
    .describe(
      `Up to ${maxAskedTokens} comma-separated addresses or well-known symbols: the response then has these tokens alone, in this order, read from their contracts if no list has them.`,
    ),
})

/** Query of GET /api/price. */
export const priceParameters = z.object({
  chain: quoteParameters.shape.chain,
  tokens: tokensText.describe(
    `Up to ${maxPricedTokens} comma-separated addresses or well-known symbols (ETH, WETH, USDC, SLU and those with source \`pinned\`).`,
  ),
})

const facts = {
  symbol: z
    .string()
    .max(32)
    .nullable()
    .describe('Null if the address is no token. With source `chain`, anyone can choose the text.'),
  decimals: integer.max(255).nullable().describe('Null if the address is no token.'),
  source: z
    .enum(TokenFacts.sources)
    .nullable()
    .describe(
      "`pinned`: built into the service. `connector`: routes pass through it. `list`: the operator's token list. `chain`: only its own contract tells. Null if the address is no token.",
    ),
}

const tokenRow = z.object({
  address,
  symbol: facts.symbol,
  name: z.string().max(32).nullable(),
  decimals: facts.decimals,
  source: facts.source,
  logo: z
    .string()
    .nullable()
    .describe('Path of a picture on this service; null if no list has one. It never changes.'),
})

/** Schema of the response of GET /api/tokens. */
export const tokensResponse = z.object({
  ok: z.literal(true),
  chainId: integer,
  tokens: z.array(tokenRow).max(maxListedTokens),
  leftOut: integer.describe(
    `Number of tokens on lists beyond the first ${maxListedTokens}; ask for them by address.`,
  ),
  complete: z
    .boolean()
    .describe('False if the connector tokens of the chain could not be read yet.'),
})

const decimalUsd = z
  .string()
  .regex(/^[0-9]+(\.[0-9]+)?$/)
  .nullable()

const priceRow = z.object({
  token: z.string().describe('As it was asked for.'),
  address,
  ...facts,
  usd: decimalUsd.describe(
    'Price of a whole token in USD: the geometric mean of `buyUsd` and `sellUsd`; null if there is no price, never zero.',
  ),
  buyUsd: decimalUsd.describe('What a whole token costs, if bought for 1,000 USDC.'),
  sellUsd: decimalUsd.describe('What a whole token brings, if as many are sold.'),
  reason: z
    .enum(UsdPrice.causes)
    .nullable()
    .describe(
      'Why there is no price. `not_a_token`. `no_route`: no route to or from USDC. `not_sellable`: a sale failed on the live pools. `taxed`: the token takes a tax on transfers. `shallow`: a trade moves the price by more than 5 %, or less than 95 % of the USDC comes back. `inconsistent`: more than 102 % comes back, so a pool is far from the market. `unproven`: no bound, or one wider than 50 bps.',
    ),
  block: z
    .object({
      number: integer,
      hash: hex.nullable(),
      timestamp: integer.describe('Unix seconds.'),
    })
    .nullable()
    .describe('Block of the sale. Null for USDC, and if nothing was quoted.'),
})

/** Schema of the response of GET /api/price. */
export const priceResponse = z.object({
  ok: z.literal(true),
  chainId: integer,
  currency: z.literal('USD').describe('One USDC of the chain counts as one dollar.'),
  probeUsd: integer.describe('USDC that are traded for the token and back.'),
  prices: z.array(priceRow).max(maxPricedTokens).describe('In the order of `tokens`.'),
})

export type TokensResponse = z.infer<typeof tokensResponse>
export type PriceResponse = z.infer<typeof priceResponse>
