import { VenueKind } from '@sluice/domain'
import { z } from 'zod'
import { address, integer } from './fields.js'
import { quoteParameters } from './parameters.js'

/** Query of GET /api/sources. */
export const sourcesParameters = z.object({ chain: quoteParameters.shape.chain })

/** Schema of the response of GET /api/sources. */
export const sourcesResponse = z.object({
  ok: z.literal(true),
  chainId: integer,
  sources: z.array(
    z.object({
      venue: integer.describe('Number of the venue, as in the legs of a route.'),
      venueName: z.string().max(32).describe("Name in the chain's Hub, such as `uniswap-v3`."),
      kind: z
        .enum(VenueKind.names as [VenueKind.Name, ...VenueKind.Name[]])
        .describe("Arithmetic and interface of the venue's pools."),
      factory: address.describe(
        'Contract that announces new pools; the Vault or PoolManager if one contract holds all pools.',
      ),
      enabled: z
        .boolean()
        .describe('False if the owner of the Hub has removed the venue. No route uses it then.'),
      feePips: integer
        .nullable()
        .describe('Fee of every pool in millionths of the input; null if pools differ.'),
      pools: integer
        .nullable()
        .describe(
          'Number of known pools: those that the Hub lists, or that the pool index has found; null without an index.',
        ),
    }),
  ),
})

export type SourcesResponse = z.infer<typeof sourcesResponse>
