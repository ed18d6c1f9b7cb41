import { overridesObject, quoteParameters } from '@sluice/api'
import { z } from 'zod'

const { amountIn: _, amountOut: __, ...shared } = quoteParameters.shape

/** Native types of parameters that are strings in the API. Models prefer to send them as numbers, booleans and objects. */
const natural = {
  chain: z.int().positive(),
  slippageBps: z.int().nonnegative(),
  deadlineSec: z.int().nonnegative(),
  exact: z.boolean(),
  usd: z.boolean(),
  explain: z.boolean(),
  overrides: overridesObject,
  version: z.int().positive(),
} as const

/**
 * Quote parameters of the API, with the same names and schemas. Only the amount differs: it has a unit, because an amount
 * in the wrong unit is wrong by many powers of ten.
 */
export const quoteInput = z.strictObject({
  ...shared,
  chain: describedAs(shared.chain, z.union([shared.chain, natural.chain])),
  slippageBps: either(shared.slippageBps, natural.slippageBps),
  deadlineSec: either(shared.deadlineSec, natural.deadlineSec),
  exact: either(shared.exact, natural.exact),
  usd: either(shared.usd, natural.usd),
  explain: either(shared.explain, natural.explain),
  overrides: either(shared.overrides, natural.overrides),
  version: either(shared.version, natural.version),
  amount: z
    .string()
    .max(140)
    .describe('Amount as a string, in the unit of amountUnit: "1500000" or "1.5".'),
  amountSide: z
    .enum(['in', 'out'])
    .optional()
    .describe(
      'Default "in": `amount` is what the user sells. "out": `amount` is what the user wants to receive after the fee, in ' +
        'the token of `out`; the result has the least input that was found, with a proof (`exactOutput`).',
    ),
  amountUnit: z
    .enum(['base', 'human'])
    .describe(
      'Required. "base": an integer in the token\'s smallest unit (wei). "human": whole tokens with a decimal point; ' +
        'for a well-known symbol, or for any token by its address, whose contract tells the decimals.',
    ),
})

export type QuoteInput = z.infer<typeof quoteInput>

/** Schema of an optional parameter as a string or in its native type, with the API's description. */
function either<text extends z.ZodType, other extends z.ZodType>(
  optional: z.ZodOptional<text>,
  other: other,
) {
  return describedAs(optional, z.union([optional.unwrap(), other]).optional())
}

function describedAs<schema extends z.ZodType>(origin: z.ZodType, schema: schema): schema {
  return origin.description === undefined ? schema : schema.describe(origin.description)
}
