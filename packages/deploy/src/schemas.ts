import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { z } from 'zod'
import { DeployError } from './errors.js'

/*
 * Schemas for members of a config. Each message continues a sentence that begins with the path of the member.
 */

/** A text with at least one character. */
export const text = z.string('must be a non-empty string').min(1, 'must be a non-empty string')

/** A non-zero address with its checksum. All lower case or all upper case: there is no checksum to verify. */
export const address = text.transform((value, context): Address => {
  const isPlain = /^0x[0-9a-f]{40}$|^0x[0-9A-F]{40}$/.test(value)
  if (!isAddress(value, { strict: !isPlain }))
    return refuse(context, value, 'must be an address with a valid checksum')
  if (/^0x0{40}$/.test(value)) return refuse(context, value, 'must not be the zero address')
  return getAddress(value)
})

/** An address, or `{symbol, address}`, where the symbol is only a note for people. */
export const token = z.union([
  address,
  z.strictObject({ symbol: text, address }).transform((named) => named.address),
])

/** 32 bytes. */
export const hash = text
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex')
  .transform((value) => value.toLowerCase() as Hex)

/** A JSON number; both ends are included. */
export function integer(low: number, high: number) {
  const isOne = (value: unknown) => Number.isSafeInteger(value) && isBetween(value as number)
  const isBetween = (value: number) => value >= low && value <= high
  return z.custom<number>(isOne, `must be an integer from ${low} to ${high}`)
}

/** An array whose entries have different names. */
export function listOf<schema extends z.ZodType>(
  schema: schema,
  nameOf: (entry: z.output<schema>) => string = String,
) {
  return z.array(schema).superRefine((entries, context) => {
    const names = entries.map(nameOf)
    const repeated = names.find((name, index) => names.indexOf(name) !== index)
    if (repeated !== undefined) refuse(context, entries, `contains ${repeated} twice`)
  })
}

/** Adds a problem. @param path The member that has it. @default the parsed value itself */
export function refuse(
  context: z.RefinementCtx,
  input: unknown,
  message: string,
  path: readonly PropertyKey[] = [],
): never {
  context.addIssue({ code: 'custom', message, input, path: [...path] })
  return z.NEVER
}

/**
 * Reads a value.
 *
 * @throws DeployError `BAD_CONFIG` naming every wrong member.
 */
export function parse<value>(schema: z.ZodType<value>, value: unknown): value {
  const parsed = schema.safeParse(value, { error: plainMessage })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `Chain config: ${problemOf(issue, value)}.`)
  throw new DeployError('BAD_CONFIG', problems.join('\n'))
}

/** Default messages. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return `has the unknown member "${issue.keys[0]}"`
  if (issue.code !== 'invalid_type') return undefined
  return issue.expected === 'array' ? 'must be an array' : 'must be an object'
}

function problemOf(issue: z.core.$ZodIssue, value: unknown): string {
  const { message, path } = whole(issue)
  if (path.length === 0 || memberOf(value, path) !== undefined) return `${nameOf(path)} ${message}`
  return `${nameOf(path.slice(0, -1))} lacks "${String(path.at(-1))}"`
}

/** For a union: the problem of the member with the value's type. */
function whole(issue: z.core.$ZodIssue): Pick<z.core.$ZodIssue, 'message' | 'path'> {
  if (issue.code !== 'invalid_union') return issue
  const isMeant = ([first]: readonly z.core.$ZodIssue[]) =>
    first !== undefined && !(first.code === 'invalid_type' && first.path.length === 0)
  const [meant] = issue.errors.find(isMeant) ?? issue.errors[0] ?? []
  return meant === undefined ? issue : { ...meant, path: [...issue.path, ...meant.path] }
}

function memberOf(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (found as Record<PropertyKey, unknown> | null | undefined)?.[name],
    value,
  )
}

function nameOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'config'
  return path
    .map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`))
    .join('')
    .replace(/^\./, '')
}
