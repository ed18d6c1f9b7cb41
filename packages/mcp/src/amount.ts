import { Addresses, Amounts, Chains } from '@sluice/domain'
import { z } from 'zod'
import { ToolError } from './ToolError.js'

/** Decimals of the tokens that have a name of their own; equal on every chain served. */
const decimalsBySymbol: Readonly<Record<string, number>> = { ETH: 18, WETH: 18, SLU: 18, USDC: 6 }

/** Decimals where they are known without asking a node; `undefined` for any other token. */
export function knownDecimals(chain: string, token: string): number | undefined {
  const named = decimalsBySymbol[token.toUpperCase()]
  if (named !== undefined) return named
  const facts = Chains.find(Chains.idOf(chain) ?? 0)
  if (facts === undefined) return undefined
  if (Addresses.equal(facts.wrappedNative, token)) return 18
  return Addresses.equal(facts.usdc, token) ? 6 : undefined
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
  const human = decimals === undefined ? null : toHuman(base, decimals)
  const amount = human === null ? `${base} base units` : `${human} ${token} (${base} base units)`
  return {
    amountInBase: base.toString(),
    amountInHuman: human,
    decimals: decimals ?? null,
    interpretation: `amount was read as ${amount}.`,
  }
}

function toBase(text: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^([0-9]{1,60})(?:\.([0-9]+))?$/.exec(text) ?? []
  if (whole === undefined)
    throw badAmount('must be digits with at most one point, for example "1.5"')
  if (fraction.length > decimals) throw badAmount(`has more than ${decimals} decimals`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Whole tokens, exact, without zeros at the end. */
export function toHuman(base: bigint, decimals: number): string {
  const digits = base.toString().padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const fraction = digits.slice(at).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

function badAmount(reason: string): ToolError {
  return new ToolError({ code: 'bad_amount_in', error: `\`amount\` ${reason}.` })
}
