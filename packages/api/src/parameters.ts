import { Addresses, Amounts, Chains, Minimum, QuoteRequest, Tokens, Versions } from '@sluice/domain'
import { z } from 'zod'
import type { Code } from './codes.js'

/** Parameters that are integers of a range, with both ends. */
export const integerRanges = {
  slippageBps: { min: 0, max: Minimum.maxSlippageBps },
  deadlineSec: QuoteRequest.deadlineSecRange,
} as const

/** A decimal integer within a range, as text. */
function integerText({ max, min }: { min: number; max: number }) {
  const reason = `must be an integer from ${min} to ${max}, in digits`
  return z
    .string(reason)
    .regex(/^[0-9]{1,4}$/, reason)
    .refine((text) => Number(text) >= min && Number(text) <= max, reason)
}

/** Passes what `read` accepts and turns its reason into the schema's message. */
function readable(read: (text: string) => { ok: true } | { ok: false; reason: string }) {
  return (context: z.core.ParsePayload<string>) => {
    const result = read(context.value)
    if (!result.ok)
      context.issues.push({ code: 'custom', message: result.reason, input: context.value })
  }
}

/** What a symbol means is another question than whether it is one. */
export const tokenText = z
  .string('must be a token address or symbol')
  .check(readable((text) => acceptUnresolved(Tokens.parse(text))))
const address = z
  .string('must be an address')
  .check(readable(Addresses.parse))
  .meta({ pattern: '^0x[0-9a-fA-F]{40}$' })

function acceptUnresolved(parsed: Tokens.ParsedText) {
  return parsed.ok || parsed.isUnresolved ? { ok: true as const } : parsed
}

function connectorsProblem(text: string) {
  const given = text.split(',')
  if (given.length > QuoteRequest.maxConnectors)
    return { ok: false as const, reason: `must be at most ${QuoteRequest.maxConnectors} addresses` }
  const wrong = given.map(Addresses.parse).find((parsed) => !parsed.ok)
  return wrong ?? { ok: true as const }
}

/**
 * The quote parameters as they stand in a query string; batch items have the same keys. The one schema from which
 * validation, the OpenAPI document and the tool schemas are made.
 */
export const quoteParameters = z.object({
  chain: z
    .string('is required: a chain id or name')
    .refine((text) => Chains.idOf(text) !== undefined, {
      error: `must be a chain id or one of ${Chains.all.map((chain) => chain.alias).join(', ')}`,
    })
    .describe('Chain id or name: 8453/base, 1/eth, 10/optimism, 42161/arbitrum.'),
  in: tokenText.describe(
    'Input token: 0x-address, ETH, WETH, USDC, SLU or any traded symbol. Other symbols resolve to the token with the deepest real liquidity, shown in `resolved`.',
  ),
  out: tokenText.describe('Output token, in the same form as `in`.'),
  amountIn: z
    .string('must be a decimal integer as a string')
    .regex(Amounts.pattern, 'must be 1 to 77 digits: an integer in base units of the input token')
    .refine((text) => !/^0+$/.test(text), 'must be above zero')
    .describe("Integer in the input token's base units."),
  recipient: address
    .optional()
    .describe('Address to pay. With it the response contains `tx` and is not cached.'),
  sender: address
    .optional()
    .describe(
      'Additive. Address that sells and sends the transaction; also the default `recipient`. Adds `issues` (what the sender lacks at the block of the quote) and `calls` (the remaining transactions, in order). `tx` is present only if it can be sent as it is.',
    ),
  slippageBps: integerText(integerRanges.slippageBps)
    .optional()
    .describe(
      "Slippage tolerance in basis points, 0 to 5000. Default: the protocol's floor is the minimum.",
    ),
  deadlineSec: integerText(integerRanges.deadlineSec)
    .optional()
    .describe(
      'Validity of the transaction in seconds, 10 to 3600, from the moment the calldata is built, by the clock of the machine that builds it: this service for quotes and decode, yours for `decode` of the SDK. Prepare builds none. Default 120.',
    ),
  exact: z
    .literal('1', 'must be 1 or left out')
    .optional()
    .describe('`1` prices the route by a dry run against the live pools. Slower, never cached.'),
  gasPrice: z
    .string('must be a decimal integer as a string')
    .regex(/^[0-9]{1,30}$/, 'must be at most 30 digits: the gas price in wei')
    .optional()
    .describe(
      'Additive. Gas price in wei, used to leave out legs that cost more gas than they earn; 0 ignores gas. Default: the current price of the nodes (`quote.gasPriceWei`) for a quote, and 0 for prepare, which asks no node. Send the same price to both to get the same call.',
    ),
  connectors: z
    .string('must be a list of addresses')
    .check(readable(connectorsProblem))
    .optional()
    .describe(
      'Additive. Up to four additional tokens that the route may pass through, comma-separated.',
    ),
  verify: z
    .literal('2', 'must be 2 or left out')
    .optional()
    .describe(
      'Additive. With `2`, two hosts must give the same response on the same block, byte for byte; otherwise 502. Never cached. No effect on prepare, whose call you can send to two nodes yourself.',
    ),
  signature: z
    .enum(QuoteRequest.signatures, 'must be permit or permit2, or left out')
    .optional()
    .describe(
      "Additive. Requires `version=2` and `sender`: pays with a signature instead of an allowance to the Router. `permit` is the token's own approval (EIP-2612), `permit2` one for Permit2. The response has `permit.typedData` to sign; POST /api/quote/signed returns the transaction.",
    ),
  version: z
    .enum(Versions.names, `must be one of ${Versions.names.join(', ')}`)
    .optional()
    .describe('Additive. Generation of the protocol: 1, 1.0.0, 2 or 2.0.0. Default 1.0.0.'),
})

export type ParameterName = keyof typeof quoteParameters.shape

/** What a batch item may hold beside the text of a query: numbers where they lose no digits, and `exact` as it is meant. */
const naturalForms: { readonly [name in ParameterName]?: z.ZodType } = {
  chain: z.int().positive(),
  amountIn: z.int().positive(),
  slippageBps: z.int().min(integerRanges.slippageBps.min).max(integerRanges.slippageBps.max),
  deadlineSec: z.int().min(integerRanges.deadlineSec.min).max(integerRanges.deadlineSec.max),
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

/** Parameters in the order of the specification, each with the code of its failure. */
export const parameterCodes: Readonly<Record<ParameterName, Code>> = {
  chain: 'bad_chain',
  in: 'bad_in',
  out: 'bad_out',
  amountIn: 'bad_amount_in',
  recipient: 'bad_recipient',
  sender: 'bad_param',
  slippageBps: 'bad_slippage_bps',
  deadlineSec: 'bad_deadline_sec',
  exact: 'bad_exact',
  gasPrice: 'bad_param',
  connectors: 'bad_param',
  verify: 'bad_param',
  signature: 'bad_param',
  version: 'bad_version',
}

/** Names of the quote parameters, in the order of the specification. */
export const parameterNames = Object.keys(parameterCodes) as readonly ParameterName[]
