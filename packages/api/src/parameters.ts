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
    'Input token: 0x-address, ETH, WETH, USDC, SLU or any traded symbol, which is resolved to the token with the deepest real liquidity and echoed in `resolved`.',
  ),
  out: tokenText.describe('Output token, in the same forms as `in`.'),
  amountIn: z
    .string('must be a decimal integer as text')
    .regex(Amounts.pattern, 'must be 1 to 77 digits: an integer in base units of the input token')
    .refine((text) => !/^0+$/.test(text), 'must be above zero')
    .describe("Integer in the input token's base units."),
  recipient: address
    .optional()
    .describe('Who is paid; when present, the answer carries `tx`. Such answers are not cached.'),
  sender: address
    .optional()
    .describe(
      'Additive. Who sells and sends; `recipient` without one of its own. Adds `issues` (what they lack at the block of the quote) and `calls` (the transactions that remain, in order); `tx` only if it can be sent as it is.',
    ),
  slippageBps: integerText(integerRanges.slippageBps)
    .optional()
    .describe("Slippage allowance, 0 to 5000. Without it the protocol's floor is the minimum."),
  deadlineSec: integerText(integerRanges.deadlineSec)
    .optional()
    .describe(
      'Seconds in which the transaction is valid, 10 to 3600, counted by the clock of the machine that builds the calldata, when it does: this service for quotes and decode, your own for `decode` of the SDK. Prepare builds none. Default 120.',
    ),
  exact: z
    .literal('1', 'must be 1 or left out')
    .optional()
    .describe('Execution grade: a dry run against the live pools. Slower, never cached.'),
  gasPrice: z
    .string('must be a decimal integer as text')
    .regex(/^[0-9]{1,30}$/, 'must be at most 30 digits: wei for a unit of gas')
    .optional()
    .describe(
      "Additive. Wei for a unit of gas, to leave out legs that do not pay for theirs. 0 counts no gas. Without it a quote counts the nodes' current price (`quote.gasPriceWei`), and a prepared call, for which no node is asked, none: send the same price to both for the same call.",
    ),
  connectors: z
    .string('must be a list of addresses')
    .check(readable(connectorsProblem))
    .optional()
    .describe('Additive. Up to four more tokens that the route may pass through, comma-separated.'),
  verify: z
    .literal('2', 'must be 2 or left out')
    .optional()
    .describe(
      'Additive. With 2, two hosts must give the same answer on the same block, byte for byte; else 502. Never cached. Without effect on prepare, whose call you can send to two nodes yourself.',
    ),
  signature: z
    .enum(QuoteRequest.signatures, 'must be permit or permit2, or left out')
    .optional()
    .describe(
      'Additive. With `version=2` and `sender`: the input is paid by a signature in place of an allowance to the Router. `permit` is the approval of the token itself (EIP-2612), `permit2` one for Permit2. The answer has `permit.typedData` to sign; POST /api/quote/signed gives the transaction.',
    ),
  version: z
    .enum(Versions.names, `must be one of ${Versions.names.join(', ')}`)
    .optional()
    .describe(
      'Additive. Generation of the protocol, where it is deployed: 1, 1.0.0, 2 or 2.0.0. Default 1.0.0.',
    ),
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

export const parameterNames = Object.keys(parameterCodes) as readonly ParameterName[]
