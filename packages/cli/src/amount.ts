import { Addresses, Amounts, Chains, Decimals } from '@sluice/domain'
import type { Flag, Values } from './flags.js'
import { UsageError } from './UsageError.js'

/** Flag of an amount with its unit, in place of `--amount-in`. */
export const amountFlag: Flag = {
  type: 'string',
  help: 'Amount with its unit, in place of --amount-in: "1.5 WETH", "1.5 token" (of --in), or "1500000 base". Without --in, the unit names the token.',
}

/** Reads the decimals of a token by its address; `undefined` if its contract does not tell them. */
export type ReadDecimals = (chain: string, token: string) => Promise<number | undefined>

/** An amount in base units, and how it was read. */
export type ReadAmount = {
  readonly values: Values
  /** What was read, to be shown; `undefined` without `--amount`. */
  readonly interpretation?: string
}

/**
 * Replaces `--amount` by `--amount-in` in base units.
 *
 * @throws UsageError if the unit is missing or is another token than `--in`, or if nobody tells the token's decimals.
 */
export async function readAmount(values: Values, readDecimals: ReadDecimals): Promise<ReadAmount> {
  const { amount: given, ...others } = values
  if (given === undefined) return { values }
  if (others['amount-in'] !== undefined)
    throw new UsageError('--amount and --amount-in exclude each other.')
  const [, digits, unit] = /^(\S+)\s+(\S+)$/.exec(String(given).trim()) ?? []
  if (digits === undefined || unit === undefined)
    throw new UsageError(`--amount needs a unit: "${given} base", "${given} token" or "1.5 WETH".`)
  const isBase = unit.toLowerCase() === 'base'
  const isToken = unit.toLowerCase() === 'token'
  const token = others['in'] ?? (isBase || isToken ? undefined : unit)
  if (token === undefined) throw new UsageError('Missing: --in.')
  const named = { ...others, in: String(token) }
  if (isBase) return inBase(named, digits)
  if (!isToken && unit.toUpperCase() !== named.in.toUpperCase())
    throw new UsageError(
      `The unit of --amount is ${unit}, and --in is ${named.in}. Write "${digits} token" if that token is meant.`,
    )
  const decimals = await decimalsOf(named, readDecimals)
  const base = Decimals.toBase(digits, decimals)
  if (base === undefined)
    throw new UsageError(
      `--amount must be digits with at most one decimal point and ${decimals} decimals, such as "1.5 ${unit}".`,
    )
  const text = `${Decimals.toHuman(base, decimals)} ${named.in} (${base} base units, ${decimals} decimals)`
  return { values: { ...named, 'amount-in': `${base}` }, interpretation: text }
}

function inBase(values: Values, digits: string): ReadAmount {
  if (!Amounts.pattern.test(digits))
    throw new UsageError('--amount in base units must be an integer of 1 to 77 digits.')
  const base = BigInt(digits).toString()
  return { values: { ...values, 'amount-in': base }, interpretation: `${base} base units` }
}

async function decimalsOf(values: Values, readDecimals: ReadDecimals): Promise<number> {
  const [chain, token] = [String(values['chain'] ?? ''), String(values['in'])]
  const known = Decimals.find(Chains.idOf(chain) ?? 0, token)
  if (known !== undefined) return known
  const read = Addresses.hasShape(token) ? await readDecimals(chain, token) : undefined
  if (read !== undefined) return read
  throw new UsageError(
    `The decimals of ${token} are unknown: give --in as an address, or --amount in base units.`,
  )
}
