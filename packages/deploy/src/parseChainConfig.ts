import type { Address } from 'viem'
import { address, integer, list, members, refuseRepeated, text } from './members.js'
import { type PoolEntry, parsePools } from './parsePools.js'
import { parseVenue, type VenueEntry } from './parseVenue.js'

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

/**
 * Checks the content of a config file and fills in the defaults. Rejects unknown members: most are misspelled options,
 * which would otherwise be ignored without notice.
 *
 * @throws DeployError `BAD_CONFIG`, naming the member.
 */
export function parseChainConfig(value: unknown): ChainConfig {
  const config = members(value, 'config', {
    required: ['chainId', 'wrappedNative', 'usdc', 'connectorTokens', 'venues'],
    optional: ['name', 'slu', 'feeRecipient', 'blockTimeMs', 'pools'],
  })
  const chainId = integer(config['chainId'], 'chainId', 1, Number.MAX_SAFE_INTEGER)
  const wrappedNative = token(config['wrappedNative'], 'wrappedNative')
  const venues = list(config['venues'], 'venues').map((entry, index) =>
    parseVenue(entry, { path: `venues[${index}]`, wrappedNative }),
  )
  const connectorTokens = list(config['connectorTokens'], 'connectorTokens').map((entry, index) =>
    token(entry, `connectorTokens[${index}]`),
  )
  refuseRepeated(connectorTokens, 'connectorTokens')
  refuseRepeated(
    venues.map(({ id }) => id),
    'venues',
  )
  return {
    chainId,
    name: config['name'] === undefined ? `Chain ${chainId}` : text(config['name'], 'name'),
    wrappedNative,
    usdc: token(config['usdc'], 'usdc'),
    slu: config['slu'] == null ? null : token(config['slu'], 'slu'),
    feeRecipient:
      config['feeRecipient'] == null ? null : address(config['feeRecipient'], 'feeRecipient'),
    blockTimeMs:
      config['blockTimeMs'] === undefined
        ? defaultBlockTimeMs
        : integer(config['blockTimeMs'], 'blockTimeMs', 1, 3_600_000),
    connectorTokens,
    venues,
    pools: parsePools(config['pools'] ?? [], venues),
  }
}

/** Reads an address, or `{symbol, address}`, where the symbol is only a note for people. */
function token(value: unknown, path: string): Address {
  if (typeof value !== 'object') return address(value, path)
  const named = members(value, path, { required: ['symbol', 'address'], optional: [] })
  text(named['symbol'], `${path}.symbol`)
  return address(named['address'], `${path}.address`)
}
