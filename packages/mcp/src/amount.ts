import { Amounts, Chains, Decimals } from '@sluice/domain'
import { z } from 'zod'
import { ToolError } from './ToolError.js'

/** Decimals of a well-known token; `undefined` for any other token, whose decimals only a node could tell. */
export function knownDecimals(chain: string, token: string): number | undefined {
  return Decimals.find(Chains.idOf(chain) ?? 0, token)
}

/** How an amount was read. */
export const interpretation = z.object({
  amountInBase: z.string().describe('The quoted amount, an integer in base units.'),
  amountInHuman: z
    .string()
    .nullable()
    .describe('The amount in whole tokens; null if decimals are unknown.'),
  decimals: z.number().int().nullable().describe('Decimals of the input token; null if unknown.'),
  interpretation: z.string().describe('How the amount was read, in words.'),
})

export type Interpretation = z.infer<typeof interpretation>

/**
 * Converts an amount in the given unit to base units.
 *
 * @throws ToolError if the amount is malformed, or if it is in human units and the token's decimals are unknown.
 */
export function interpret(input: {
  chain: string
  in: string
  amount: string
  amountUnit: 'base' | 'human'
}): Interpretation {
  const { amount, amountUnit, in: token } = input
  const decimals = knownDecimals(input.chain, token)
  if (amountUnit === 'base') {
    if (!Amounts.pattern.test(amount))
      throw badAmount('must be an integer of 1 to 77 digits if amountUnit is "base"')
    return describe(BigInt(amount), decimals, token)
  }
  if (decimals === undefined)
    throw new ToolError({
      code: 'bad_amount_unit',
      error: 'The decimals of this token are unknown.',
      suggestion:
        'Multiply the amount by 10 to the power of the token\'s decimals and send amountUnit "base".',
    })
  return describe(toBase(amount, decimals), decimals, token)
}

function describe(base: bigint, decimals: number | undefined, token: string): Interpretation {
  const human = decimals === undefined ? null : Decimals.toHuman(base, decimals)
  const amount = human === null ? `${base} base units` : `${human} ${token} (${base} base units)`
  return {
    amountInBase: base.toString(),
    amountInHuman: human,
    decimals: decimals ?? null,
    interpretation: `amount was read as ${amount}.`,
  }
}

function toBase(text: string, decimals: number): bigint {
  const base = Decimals.toBase(text, decimals)
  if (base === undefined)
    throw badAmount(
      `must be digits with at most one decimal point and ${decimals} decimals, such as "1.5"`,
    )
  return base
}

function badAmount(reason: string): ToolError {
  return new ToolError({ code: 'bad_amount_in', error: `\`amount\` ${reason}.` })
}
