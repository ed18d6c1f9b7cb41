import { Amounts, Overrides, QuoteParameters, QuoteRequest, Versions } from '@sluice/domain'
import { z } from 'zod'
import { overridesObject } from './overrides.js'

/** Name of a quote parameter. */
export type ParameterName = QuoteParameters.Name
/** Names of all quote parameters, in the order of the documentation. */
export const parameterNames = QuoteParameters.names

/** Schema of a parameter as a string. The domain validates it; `pattern` only documents its format. */
function text(name: ParameterName, options: { pattern?: RegExp } = {}) {
  const missing = QuoteParameters.problemOf(name, undefined) ?? 'must be a string'
  const schema = z.string(missing).check((context) => {
    const message = QuoteParameters.problemOf(name, context.value)
    if (message !== undefined)
      context.issues.push({ code: 'custom', message, input: context.value })
  })
  return options.pattern === undefined ? schema : schema.meta({ pattern: options.pattern.source })
}

const address = { pattern: /^0x[0-9a-fA-F]{40}$/ }
const integer = { pattern: /^[0-9]{1,4}$/ }

/** Schema of a token as a string: its address or a symbol. */
export const tokenText = text('in')

/**
 * Quote parameters of a query string; batch items have the same keys. OpenAPI and the schemas of the MCP tools are made
 * from it. `QuoteParameters` of the domain, which also parses the requests, validates each string.
 */
export const quoteParameters = z.object({
  chain: text('chain').describe(
    'Chain id or name: 8453/base, 1/eth, 10/optimism, 42161/arbitrum, 4663/robinhood.',
  ),
  in: tokenText.describe(
    'Input token: 0x-address, ETH, WETH, USDC, SLU or any traded symbol. Other symbols resolve to the token with the deepest real liquidity, shown in `resolved`.',
  ),
  out: text('out').describe('Output token, in the same form as `in`.'),
  amountIn: text('amountIn', { pattern: Amounts.pattern })
    .optional()
    .describe("Integer in the input token's base units. Required unless `amountOut` is sent."),
  amountOut: text('amountOut', { pattern: Amounts.pattern })
    .optional()
    .describe(
      "Additive, in place of `amountIn`: the net output to deliver, an integer in the output token's base units. The answer has the least input that was found, with a proof (`exactOutput`). `slippageBps` (default 50) then pads the input, never the output.",
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
      "Slippage tolerance in basis points, 0 to 5000. Default: the protocol's floor is the minimum. With `amountOut` it pads the input; default 50.",
    ),
  deadlineSec: text('deadlineSec', integer)
    .optional()
    .describe(
      'Validity of the transaction in seconds, 10 to 3600, from the moment the calldata is built, by the clock of the machine that builds it: this service for quotes and decode, yours for `decode` of the SDK. Prepare builds none. Default 120.',
    ),
  exact: z
    .literal('1', QuoteParameters.problemOf('exact', ''))
    .optional()
    .describe('`1` prices the route with a dry run on the live pools. Slower, never cached.'),
  gasPrice: text('gasPrice', { pattern: QuoteParameters.gasPricePattern })
    .optional()
    .describe(
      'Additive. Gas price in wei, used to leave out legs that cost more gas than they earn; 0 ignores gas. Default: the current gas price of the chain (`quote.gasPriceWei`) for a quote, and 0 for prepare, which asks no node. Send the same price to both to get the same call.',
    ),
  connectors: text('connectors')
    .optional()
    .describe(
      'Additive. Up to four additional tokens that the route may pass through, comma-separated.',
    ),
  pools: text('pools')
    .optional()
    .describe(
      'Additive. Up to eight pools that no contract lists by their pair, such as those of Balancer, comma-separated: addresses, or ids of 32 bytes. They only add candidates; each venue decides which of them are its own.',
    ),
  includeSources: text('includeSources')
    .optional()
    .describe(
      'Additive. The only venues that the route may use: names as in GET /api/sources (`venueName`) or their numbers, comma-separated. The search keeps to them, so that the bound is over what was allowed; the answer has `sources`.',
    ),
  excludeSources: text('excludeSources')
    .optional()
    .describe(
      'Additive, in place of `includeSources`: the venues that the route may not use, in the same form.',
    ),
  overrides: text('overrides')
    .optional()
    .describe(
      `Additive. A state of your own to quote on, as JSON in the form of eth_call's third parameter: {"<address>":{"balance":"0x…","stateDiff":{"<slot>":"<value>"}}}. At most ${Overrides.maxAccounts} accounts and ${Overrides.maxSlots} slots; slots and values have 32 bytes; not \`code\`, and not the contracts of the protocol. The answer says so in \`overrides\`, has \`canExecute: false\` and no \`tx\`. Never cached, never shared, costs twice the points. Cannot be combined with \`sender\` and \`signature\`; not in the stream and the picture.`,
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
      "Additive. Requires `version=2` and `sender`: pays with a signature instead of an allowance to the Router. `permit` uses the token's own permit (EIP-2612); a contract account cannot give one, so it gets an approval in `calls` instead. `permit2` uses the Permit2 contract. The response has `permit.typedData` to sign; POST /api/quote/signed returns the transaction.",
    ),
  integrator: text('integrator', address)
    .optional()
    .describe(
      'Additive. Requires `version=2` and `integratorFeeBps`: an address that the swap pays a part of the output. `amountOut` and all minimums are after it; `quote.integratorFee` is what it gets. If the token refuses to pay it, the recipient gets that part too.',
    ),
  integratorFeeBps: text('integratorFeeBps', integer)
    .optional()
    .describe(
      'Additive. What `integrator` takes, in basis points of `quote.grossOut`, 1 to 100, beside the protocol fee of 28.',
    ),
  usd: z
    .literal('1', QuoteParameters.problemOf('usd', ''))
    .optional()
    .describe(
      'Additive. `1` adds `usd`: what both amounts are worth in US dollars, at prices as from GET /api/price. No effect on prepare.',
    ),
  explain: z
    .literal('1', QuoteParameters.problemOf('explain', ''))
    .optional()
    .describe(
      'Additive. `1` adds `explain`: the call, and what the best single pool and the best path without splitting would deliver; with `no_route`, what was looked at. Up to 3 s slower, never cached, and costs 25 points more. No effect on prepare, the stream and the picture.',
    ),
  version: z
    .enum(Versions.names, QuoteParameters.problemOf('version', ''))
    .optional()
    .describe('Additive. Generation of the protocol: 1, 1.0.0, 2 or 2.0.0. Default 1.0.0.'),
})

/** Types that a batch item may use instead of strings: numbers up to 2^53 - 1, booleans, and an object for `overrides`. */
const naturalForms: { readonly [name in ParameterName]?: z.ZodType } = {
  chain: z.int().positive(),
  amountIn: z.int().positive(),
  amountOut: z.int().positive(),
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
  integratorFeeBps: z
    .int()
    .min(QuoteParameters.integerRanges.integratorFeeBps.min)
    .max(QuoteParameters.integerRanges.integratorFeeBps.max),
  overrides: overridesObject,
  verify: z.literal(2),
  usd: z.union([z.literal(1), z.boolean()]),
  explain: z.union([z.literal(1), z.boolean()]),
  version: z.literal([1, 2]),
}

/**
 * A batch item in the OpenAPI document. Accepts everything at run time, because each item is validated on its own and
 * each parameter has its own error code.
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
