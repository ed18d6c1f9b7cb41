import { Addresses, Amounts, Chains, Decimals } from '@sluice/domain'
import { type Flag, quoteFlags, type Values } from './flags.js'
import { UsageError } from './UsageError.js'

/** Flag of an amount with its unit, in place of `--amount-in`. */
export const amountFlag: Flag = {
  type: 'string',
  help: 'Amount with its unit, in place of --amount-in: "1.5 WETH", "1.5 token" (of --in), or "1500000 base". Without --in, the unit names the token.',
}

const amountOut = quoteFlags['amount-out']!
/** Flag of an output that is asked for: the parameter of the API, or an amount with its unit. */
export const amountOutFlag: Flag = {
  ...amountOut,
  help: `${amountOut.help} Or with its unit: "2500 USDC", "2500 token" (of --out).`,
}

/** Reads the decimals of a token by its address; `undefined` if its contract does not tell them. */
export type ReadDecimals = (chain: string, token: string) => Promise<number | undefined>

/** An amount in base units, and how it was read. */
export type ReadAmount = {
  readonly values: Values
  /** What was read, to be shown; `undefined` for an amount without a unit. */
  readonly interpretation?: string
}

/** Flags of an amount with a unit: the flag in base units that each replaces, and the token that it counts. */
const sides = {
  amount: { base: 'amount-in', token: 'in' },
  'amount-out': { base: 'amount-out', token: 'out' },
} as const
type Side = keyof typeof sides

/**
 * Replaces an amount with a unit by its base units: `--amount` by `--amount-in`, and `--amount-out` by itself.
 *
 * @throws UsageError if the unit is missing or is another token than `--in` or `--out`, or if nobody tells the token's
 * decimals.
 */
export async function readAmount(values: Values, readDecimals: ReadDecimals): Promise<ReadAmount> {
  const { amount, 'amount-in': amountIn, 'amount-out': amountOut } = values
  if (amount === undefined)
    return isWithUnit(amountOut) ? await readSide('amount-out', values, readDecimals) : { values }
  if (amountIn !== undefined || amountOut !== undefined)
    throw new UsageError(
      `--amount and --amount-${amountIn === undefined ? 'out' : 'in'} exclude each other.`,
    )
  return await readSide('amount', values, readDecimals)
}

function isWithUnit(given: Values[string]): boolean {
  return /\s/.test(String(given ?? '').trim())
}

async function readSide(
  flag: Side,
  { [flag]: given, ...others }: Values,
  readDecimals: ReadDecimals,
): Promise<ReadAmount> {
  const { base, token: side } = sides[flag]
  const [, digits, unit] = /^(\S+)\s+(\S+)$/.exec(String(given).trim()) ?? []
  if (digits === undefined || unit === undefined)
    throw new UsageError(`--${flag} needs a unit: "${given} base", "${given} token" or "1.5 WETH".`)
  const isBase = unit.toLowerCase() === 'base'
  const isToken = unit.toLowerCase() === 'token'
  const token = others[side] ?? (isBase || isToken ? undefined : unit)
  if (token === undefined) throw new UsageError(`Missing: --${side}.`)
  const name = String(token)
  const answerOf = (amount: bigint, interpretation: string) => {
    return { values: { ...others, [side]: name, [base]: `${amount}` }, interpretation }
  }
  if (isBase) {
    if (!Amounts.pattern.test(digits))
      throw new UsageError(`--${flag} in base units must be an integer of 1 to 77 digits.`)
    return answerOf(BigInt(digits), `${BigInt(digits)} base units`)
  }
  if (!isToken && unit.toUpperCase() !== name.toUpperCase())
    throw new UsageError(
      `The unit of --${flag} is ${unit}, and --${side} is ${name}. Write "${digits} token" if that token is meant.`,
    )
  const chain = String(others['chain'] ?? '')
  const decimals = await readDecimalsOf({ chain, side, token: name, flag }, readDecimals)
  const amount = Decimals.toBase(digits, decimals)
  if (amount === undefined)
    throw new UsageError(
      `--${flag} must be digits with at most one decimal point and ${decimals} decimals, such as "1.5 ${unit}".`,
    )
  return answerOf(
    amount,
    `${Decimals.toHuman(amount, decimals)} ${name} (${amount} base units, ${decimals} decimals)`,
  )
}

async function readDecimalsOf(
  { chain, flag, side, token }: { chain: string; flag: Side; side: string; token: string },
  readDecimals: ReadDecimals,
): Promise<number> {
  const known = Decimals.find(Chains.idOf(chain) ?? 0, token)
  if (known !== undefined) return known
  const read = Addresses.hasShape(token) ? await readDecimals(chain, token) : undefined
  if (read !== undefined) return read
  throw new UsageError(
    `The decimals of ${token} are unknown: give --${side} as an address, or --${flag} in base units.`,
  )
}
