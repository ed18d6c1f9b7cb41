import { Amounts, QuoteParameters, QuoteRequest, Versions } from '@sluice/domain'
import { z } from 'zod'

/** Name of a quote parameter. */
export type ParameterName = QuoteParameters.Name
/** In the order of the specification. */
export const parameterNames = QuoteParameters.names

/** A parameter as text. The domain judges it; `pattern` only documents its form. */
function text(name: ParameterName, options: { pattern?: RegExp } = {}) {
  const missing = QuoteParameters.problemOf(name, undefined) ?? 'must be a text'
  const schema = z.string(missing).check((context) => {
    const message = QuoteParameters.problemOf(name, context.value)
    if (message !== undefined)
      context.issues.push({ code: 'custom', message, input: context.value })
  })
  return options.pattern === undefined ? schema : schema.meta({ pattern: options.pattern.source })
}

const address = { pattern: /^0x[0-9a-fA-F]{40}$/ }
const integer = { pattern: /^[0-9]{1,4}$/ }

/** A token as text: its address or a symbol. */
export const tokenText = text('in')

/**
 * The quote parameters as they stand in a query string; batch items have the same keys. OpenAPI and the tools' schemas
 * are made from it, and each text is judged by `QuoteParameters` of the domain, which reads the requests.
 */
export const quoteParameters = z.object({
  chain: text('chain').describe('Chain id or name: 8453/base, 1/eth, 10/optimism, 42161/arbitrum.'),
  in: tokenText.describe(
    'Input token: 0x-address, ETH, WETH, USDC, SLU or any traded symbol. Other symbols resolve to the token with the deepest real liquidity, shown in `resolved`.',
  ),
  out: text('out').describe('Output token, in the same form as `in`.'),
  amountIn: text('amountIn', { pattern: Amounts.pattern }).describe(
    "Integer in the input token's base units.",
  ),
  recipient: text('recipient', address)
    .optional()
    .describe('Address to pay. With it the response contains `tx` and is not cached.'),
  sender: text('sender', address)
    .optional()
    .describe(
      'Additive. Address that sells and sends the transaction; also the default `recipient`. Adds `issues` (what the sender lacks at the block of the quote) and `calls` (the remaining transactions, in order). `tx` is present only if it can be sent as it is.',
    ),
  slippageBps: text('slippageBps', integer)
    .optional()
    .describe(
      "Slippage tolerance in basis points, 0 to 5000. Default: the protocol's floor is the minimum.",
    ),
  deadlineSec: text('deadlineSec', integer)
    .optional()
    .describe(
      'Validity of the transaction in seconds, 10 to 3600, from the moment the calldata is built, by the clock of the machine that builds it: this service for quotes and decode, yours for `decode` of the SDK. Prepare builds none. Default 120.',
    ),
  exact: z
    .literal('1', QuoteParameters.problemOf('exact', ''))
    .optional()
    .describe('`1` prices the route by a dry run against the live pools. Slower, never cached.'),
  gasPrice: text('gasPrice', { pattern: QuoteParameters.gasPricePattern })
    .optional()
    .describe(
      'Additive. Gas price in wei, used to leave out legs that cost more gas than they earn; 0 ignores gas. Default: the current price of the nodes (`quote.gasPriceWei`) for a quote, and 0 for prepare, which asks no node. Send the same price to both to get the same call.',
    ),
  connectors: text('connectors')
    .optional()
    .describe(
      'Additive. Up to four additional tokens that the route may pass through, comma-separated.',
    ),
  verify: z
    .literal('2', QuoteParameters.problemOf('verify', ''))
    .optional()
    .describe(
      'Additive. With `2`, two hosts must give the same response on the same block, byte for byte; otherwise 502. Never cached. No effect on prepare, whose call you can send to two nodes yourself.',
    ),
  signature: z
    .enum(QuoteRequest.signatures, QuoteParameters.problemOf('signature', ''))
    .optional()
    .describe(
      "Additive. Requires `version=2` and `sender`: pays with a signature instead of an allowance to the Router. `permit` is the token's own approval (EIP-2612), `permit2` one for Permit2. The response has `permit.typedData` to sign; POST /api/quote/signed returns the transaction.",
    ),
  version: z
    .enum(Versions.names, QuoteParameters.problemOf('version', ''))
    .optional()
    .describe('Additive. Generation of the protocol: 1, 1.0.0, 2 or 2.0.0. Default 1.0.0.'),
})

/** What a batch item may hold beside the text of a query: numbers if they lose no digits, and `exact` as it is meant. */
const naturalForms: { readonly [name in ParameterName]?: z.ZodType } = {
  chain: z.int().positive(),
  amountIn: z.int().positive(),
  slippageBps: z
    .int()
    .min(QuoteParameters.integerRanges.slippageBps.min)
    .max(QuoteParameters.integerRanges.slippageBps.max),
  deadlineSec: z
    .int()
    .min(QuoteParameters.integerRanges.deadlineSec.min)
    .max(QuoteParameters.integerRanges.deadlineSec.max),
  exact: z.union([z.literal(1), z.boolean()]),
  gasPrice: z.int().nonnegative(),
  verify: z.literal(2),
  version: z.literal([1, 2]),
}

/**
 * An item of a batch, as the OpenAPI document describes it. It is not validated by this: items are judged one by one,
 * each parameter with its own code.
 */
export const quoteItem = z.unknown().meta(itemDescription())

function itemDescription(): Record<string, unknown> {
  const forms = Object.entries(quoteParameters.shape).map(([name, schema]) => {
    const text: z.ZodType = schema instanceof z.ZodOptional ? schema.unwrap() : schema
    const natural = naturalForms[name as ParameterName]
    const either = natural === undefined ? text : z.union([text, natural])
    const described = either.describe(schema.description ?? '')
    return [name, schema.safeParse(undefined).success ? described.optional() : described]
  })
  const { $schema: _, ...item } = z.toJSONSchema(z.strictObject(Object.fromEntries(forms)), {
    io: 'input',
  })
  return item
}
