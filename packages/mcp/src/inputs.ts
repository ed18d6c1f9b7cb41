import { quoteParameters } from '@sluice/api'
import { z } from 'zod'

const { amountIn: _, ...shared } = quoteParameters.shape

/** Parameters that models like to send as what they are; on the wire they are texts. */
const natural = {
  chain: z.int().positive(),
  slippageBps: z.int().nonnegative(),
  deadlineSec: z.int().nonnegative(),
  exact: z.boolean(),
  version: z.int().positive(),
} as const

/**
 * The quote parameters of the API, by name and schema, with one change: the amount comes with its unit, because an
 * amount in the wrong unit is wrong by many powers of ten.
 */
export const quoteInput = z.strictObject({
  ...shared,
  chain: describedAs(shared.chain, z.union([shared.chain, natural.chain])),
  slippageBps: either(shared.slippageBps, natural.slippageBps),
  deadlineSec: either(shared.deadlineSec, natural.deadlineSec),
  exact: either(shared.exact, natural.exact),
  version: either(shared.version, natural.version),
  amount: z
    .string()
    .max(140)
    .describe('Input amount as a string, in the unit of amountUnit: "1500000" or "1.5".'),
  amountUnit: z
    .enum(['base', 'human'])
    .describe(
      'Required. "base": an integer in the token\'s smallest unit (wei). "human": whole tokens with a decimal point; ' +
        'only for ETH, WETH, USDC, SLU and well-known tokens such as DAI, whose decimals are known.',
    ),
})

export type QuoteInput = z.infer<typeof quoteInput>

/** An optional parameter in either form, with the API's description. */
function either<text extends z.ZodType, other extends z.ZodType>(
  optional: z.ZodOptional<text>,
  other: other,
) {
  return describedAs(optional, z.union([optional.unwrap(), other]).optional())
}

function describedAs<schema extends z.ZodType>(origin: z.ZodType, schema: schema): schema {
  return origin.description === undefined ? schema : schema.describe(origin.description)
}
