import { Addresses, Amounts, Chains, Decimals } from '@sluice/domain'
import { type Client, getTokens } from '@sluice/sdk'
import { z } from 'zod'
import { ToolError } from './ToolError.js'

/** Decimals of a well-known token; `undefined` for any other token, whose contract must be asked. */
export function knownDecimals(chain: string, token: string): number | undefined {
  return Decimals.find(Chains.idOf(chain) ?? 0, token)
}

/**
 * Decimals of any token: of a list, or as its contract says. `undefined` for a symbol that is on no list, since only an
 * address tells which contract to ask.
 */
async function readDecimals(
  client: Client,
  { chain, in: token }: Pick<Given, 'chain' | 'in'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const known = knownDecimals(chain, token)
  if (known !== undefined || !Addresses.hasShape(token)) return known
  const { tokens } = await getTokens(client, { chain, tokens: [token] }, { signal })
  return tokens[0]?.decimals ?? undefined
}

/** How an amount was read. */
export const interpretation = z.object({
  amountInBase: z.string().describe('The quoted amount, an integer in base units.'),
  amountInHuman: z
    .string()
    .nullable()
    .describe('The amount in whole tokens; null if decimals are unknown.'),
  decimals: z
    .number()
    .int()
    .nullable()
    .describe('Decimals of the token of `amountSide`; null if unknown.'),
  interpretation: z.string().describe('How the amount was read, in words.'),
})

export type Interpretation = z.infer<typeof interpretation>

type Given = { chain: string; in: string; amount: string; amountUnit: 'base' | 'human' }

/**
 * Converts an amount in the given unit to base units. Asks the service for decimals only if the amount needs them.
 *
 * @throws ToolError if the amount is malformed, or if it is in human units and nobody tells the token's decimals.
 */
export async function interpret(
  client: Client,
  input: Given,
  signal: AbortSignal,
): Promise<Interpretation> {
  const { amount, amountUnit, in: token } = input
  const isHuman = amountUnit === 'human'
  const decimals = isHuman
    ? await readDecimals(client, input, signal)
    : knownDecimals(input.chain, token)
  if (!isHuman) {
    if (!Amounts.pattern.test(amount))
      throw badAmount('must be an integer of 1 to 77 digits if amountUnit is "base"')
    return describe(BigInt(amount), decimals, token)
  }
  if (decimals === undefined)
    throw new ToolError({
      code: 'bad_amount_unit',
      error: 'The decimals of this token are unknown.',
      suggestion:
        'Call resolve_token and send the address as `in`; or multiply the amount by 10 to the power of the decimals, and send amountUnit "base".',
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
