import { Amounts, Chains, Decimals } from '@sluice/domain'
import { z } from 'zod'
import { ToolError } from './ToolError.js'

/** Decimals where they are known without asking a node; `undefined` for any other token. */
export function knownDecimals(chain: string, token: string): number | undefined {
  return Decimals.find(Chains.idOf(chain) ?? 0, token)
}

/** What an amount was taken to mean. */
export const interpretation = z.object({
  amountInBase: z.string().describe('Integer in base units; what was quoted.'),
  amountInHuman: z.string().nullable().describe('Whole tokens; null where decimals are unknown.'),
  decimals: z.number().int().nullable().describe('Of the input token; null where unknown.'),
  interpretation: z.string().describe('The same in words.'),
})

export type Interpretation = z.infer<typeof interpretation>

/**
 * Reads an amount in the unit that was said.
 *
 * @throws ToolError where it is no amount, or human units are given for a token of unknown decimals.
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
      throw badAmount('must be an integer of 1 to 77 digits where amountUnit is "base"')
    return describe(BigInt(amount), decimals, token)
  }
  if (decimals === undefined)
    throw new ToolError({
      code: 'bad_amount_unit',
      error: 'The decimals of this token are not known here.',
      suggestion:
        'Multiply by 10 to the power of the token\'s decimals yourself and send amountUnit "base".',
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
    throw badAmount(`must be digits with at most one point and ${decimals} decimals, like "1.5"`)
  return base
}

function badAmount(reason: string): ToolError {
  return new ToolError({ code: 'bad_amount_in', error: `\`amount\` ${reason}.` })
}
