import { Adapters } from '@sluice/domain'
import { type Address, pad } from 'viem'
import { z } from 'zod'
import { type PoolEntry, poolsOf } from './parsePools.js'
import { type VenueEntry, venueSchema } from './parseVenue.js'
import { address, integer, listOf, parse, text, token } from './schemas.js'

/** Configuration of a chain's Hub: the content of a config file with its defaults filled in. */
export type ChainConfig = {
  readonly chainId: number
  readonly name: string
  readonly wrappedNative: Address
  readonly usdc: Address
  /** The protocol's token, SLU; `null` if the chain does not have it. */
  readonly slu: Address | null
  /** If `null`: the owner in a new Hub, and the current fee recipient in a configured one. */
  readonly feeRecipient: Address | null
  readonly blockTimeMs: number
  readonly connectorTokens: readonly Address[]
  readonly venues: readonly VenueEntry[]
  readonly pools: readonly PoolEntry[]
}

const defaultBlockTimeMs = 2_000

const schema = z
  .strictObject({
    chainId: integer(1, Number.MAX_SAFE_INTEGER),
    name: text.optional(),
    wrappedNative: token,
    usdc: token,
    slu: token.nullish(),
    feeRecipient: address.nullish(),
    blockTimeMs: integer(1, 3_600_000).default(defaultBlockTimeMs),
    connectorTokens: listOf(token),
    venues: listOf(venueSchema, ({ id }) => id),
    pools: z.unknown().optional(),
  })
  .transform(({ pools, ...config }) => ({
    ...config,
    name: config.name ?? `Chain ${config.chainId}`,
    slu: config.slu ?? null,
    feeRecipient: config.feeRecipient ?? null,
    venues: config.venues.map((venue) => withWrappedNative(venue, config.wrappedNative)),
    given: { pools: pools ?? [] },
  }))

/** Adds what depends on the whole config. */
function withWrappedNative(venue: VenueEntry, wrappedNative: Address): VenueEntry {
  const { adapter: name, factory: registry, kind } = venue
  if (kind === 'uniswapV4') return { ...venue, initCodeHash: pad(wrappedNative) }
  if (name === undefined) return venue
  return { ...venue, deployer: Adapters.addressOf({ name, registry }, wrappedNative) }
}

/**
 * Checks the content of a config file and fills in the defaults. Rejects unknown members: most are misspelled options,
 * which would otherwise be ignored without notice.
 *
 * @throws DeployError `BAD_CONFIG`, naming every wrong member.
 */
export function parseChainConfig(value: unknown): ChainConfig {
  const { given, ...config } = parse(schema, value)
  const { pools } = parse(z.object({ pools: poolsOf(config.venues) }), given)
  return { ...config, pools }
}
