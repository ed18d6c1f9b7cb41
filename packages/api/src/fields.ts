import { VenueKind } from '@sluice/domain'
import { z } from 'zod'

export const decimal = (meaning: string) =>
  z
    .string()
    .regex(/^[0-9]+$/)
    .describe(meaning)
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
/** Address or 32-byte id of a pool. */
export const poolHint = z.string().regex(/^0x([0-9a-fA-F]{40}|[0-9a-f]{64})$/)
export const hex = z.string().regex(/^0x[0-9a-f]*$/)
export const integer = z.number().int().nonnegative()

const additive = 'Additive; absent until the service has read the venues of the chain.'

export const venueName = z
  .string()
  .max(32)
  .describe(`Name of the venue in the Hub, such as \`uniswap-v3\`. ${additive}`)
export const venueKind = z
  .enum(VenueKind.names as [VenueKind.Name, ...VenueKind.Name[]])
  .describe(`Arithmetic and interface of the venue's pools. ${additive}`)
export const feePips = integer
  .nullable()
  .describe(
    `Fee of the pool in millionths of the input; null if only the pool knows it. ${additive}`,
  )
