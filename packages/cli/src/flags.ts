import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Operation, parameterNames, quoteParameters } from '@sluice/api'
import { QuoteParameters as DomainParameters } from '@sluice/domain'
import type { QuoteParameters } from '@sluice/sdk'
import type { Io } from './io.js'
import { readJson } from './readJson.js'
import { UsageError } from './UsageError.js'

export type Flag = {
  readonly type: 'string' | 'boolean'
  readonly help: string
  readonly isRequired?: boolean
}
export type Flags = Readonly<Record<string, Flag>>
export type Values = Readonly<Record<string, string | boolean | undefined>>

/** Flags of every command. */
export const sharedFlags: Flags = {
  url: {
    type: 'string',
    help: 'URL of the service. Default: SLUICE_URL or http://127.0.0.1:8080.',
  },
  json: { type: 'boolean', help: 'Print JSON; the default if stdout is not a terminal.' },
  help: { type: 'boolean', help: 'Print this help.' },
}

/** Flag of a parameter: `slippage-bps` for `slippageBps`. */
export function flagOf(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * Flags for the query parameters of an operation, with their descriptions.
 *
 * @internal
 */
export function flagsFor({ shape }: NonNullable<Operation['query']>): Flags {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [flagOf(name), flagFrom(name, schema as Schema)]),
  )
}

type Schema = {
  readonly description?: string
  readonly safeParse: (value: undefined) => { readonly success: boolean }
}

function flagFrom(name: string, schema: Schema): Flag {
  return {
    type: isFlag(name) ? 'boolean' : 'string',
    help: schema.description ?? '',
    isRequired: !schema.safeParse(undefined).success,
  }
}

function isFlag(name: string): boolean {
  return DomainParameters.flags.some((flag) => flag === name)
}

/** Flags of the quote parameters. */
export const quoteFlags: Flags = withFiles(flagsFor(quoteParameters))

/** A state is too long for an argument, so its flag names a file. */
function withFiles(flags: Flags): Flags {
  const { overrides } = flags
  const help = `${overrides!.help} Takes a file with the JSON; - is stdin.`
  return { ...flags, overrides: { ...overrides!, help } }
}

/**
 * Quote parameters that the flags set.
 *
 * @throws UsageError if a required flag is missing, or if the file of `--overrides` cannot be read.
 */
export function readQuoteParameters(values: Values, io: Pick<Io, 'readFile'>): QuoteParameters {
  const missing = parameterNames.filter(
    (name) => quoteFlags[flagOf(name)]!.isRequired && values[flagOf(name)] === undefined,
  )
  const hasAmount = amounts.some((name) => values[flagOf(name)] !== undefined)
  const words = [...missing.map((name) => `--${flagOf(name)}`), ...(hasAmount ? [] : [amountWords])]
  if (words.length > 0) throw new UsageError(`Missing: ${words.join(', ')}.`)
  const given = parameterNames.flatMap((name) => {
    const value = values[flagOf(name)]
    if (value === undefined) return []
    if (name === 'overrides') return [[name, readJson(io, String(value))]]
    return [[name, lists.has(name) ? String(value).split(',') : value]]
  })
  return Object.fromEntries(given) as QuoteParameters
}

/** Parameters that the SDK takes as lists. */
const lists: ReadonlySet<string> = new Set(['connectors', 'pools'])
const amounts = ['amountIn', 'amountOut'] as const
const amountWords = '--amount (or --amount-in, or --amount-out)'

/**
 * Parses the arguments of a command.
 *
 * @param places Flags that may be given by position, in this order.
 * @throws UsageError if an argument is unknown or a value is missing.
 */
export function parseFlags(
  args: readonly string[],
  flags: Flags,
  places: readonly string[] = [],
): Values {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [name, { type }]),
  )
  try {
    const allowPositionals = places.length > 0
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals })
    const extra = positionals[places.length]
    if (extra !== undefined) throw new Error(`Unexpected argument "${extra}".`)
    const placed = positionals.map((value, index) => [places[index], value])
    return { ...values, ...Object.fromEntries(placed) } as Values
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\.?$/, '.'))
  }
}

/** Help text of the flags, one line each. */
export function flagHelp(flags: Flags): string {
  const names = Object.entries(flags).map(
    ([name, { type }]) => `--${name}${type === 'string' ? ' …' : ''}`,
  )
  const width = Math.max(...names.map((name) => name.length))
  return Object.values(flags)
    .map(({ help, isRequired }, index) => {
      return `  ${names[index]!.padEnd(width)}  ${isRequired ? 'Required. ' : ''}${help}`
    })
    .join('\n')
}
