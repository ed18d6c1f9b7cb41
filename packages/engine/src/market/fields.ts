import { Addresses } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import { z } from 'zod'

/** Maximum length of a name or symbol, which strangers choose. */
const maxText = 64

/** Makes a field optional and treats an invalid value as unknown. */
const optional = <schema extends z.ZodType>(schema: schema) =>
  schema.optional().catch(undefined as z.output<schema> | undefined)

export const text = optional(z.string().min(1).max(maxText))

const amount = z.number().nonnegative()
/** A JSON number. */
export const number = optional(amount)
/** A decimal number in a string. */
export const decimal = optional(
  z
    .string()
    .max(400)
    .regex(/^[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$/i)
    .transform(Number)
    .pipe(amount),
)

/** An address in any case, converted to checksum case. */
export const address = z
  .string()
  .refine(Addresses.hasShape)
  .transform((given) => checksummed(given))

/** A contract address, or a 32-byte pool id. */
export const pairId = z
  .string()
  .regex(/^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/)
  .transform(
    (given): Hex => (given.length === 42 ? checksummed(given) : (given.toLowerCase() as Hex)),
  )

function checksummed(given: string): Address {
  const parsed = Addresses.parse(given.toLowerCase())
  return parsed.ok ? parsed.address : Addresses.zero
}
