import { VenueKind } from '@sluice/domain'
import { z } from 'zod'
import { quoteParameters } from './parameters.js'
import { address, integer } from './responses.js'

/** Query of GET /api/sources. */
export const sourcesParameters = z.object({ chain: quoteParameters.shape.chain })

/** Response of GET /api/sources. */
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
        'Contract that announces new pools; the Vault or PoolManager if it holds all of them.',
      ),
      enabled: z.boolean().describe('False if the owner has removed the venue: no route uses it.'),
      feePips: integer
        .nullable()
        .describe('Fee of every pool in millionths of the input; null if pools differ.'),
      pools: integer
        .nullable()
        .describe(
          'Pools known: those that the Hub lists, or that the index of pools has found; null without an index.',
        ),
    }),
  ),
})

export type SourcesResponse = z.infer<typeof sourcesResponse>
