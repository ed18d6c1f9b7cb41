import type { hubAbi } from '@sluice/abi'
import { VenueKind } from '@sluice/domain'
import { type Address, type ContractFunctionArgs, type Hex, stringToHex } from 'viem'
import type { ChainConfig } from './parseChainConfig.js'
import type { VenueEntry } from './parseVenue.js'

/** `IHub.Config`. */
export type HubConfig = ContractFunctionArgs<typeof hubAbi, 'nonpayable', 'initialize'>[0]
/** `VenueConfig` of the contracts. */
export type HubVenue = HubConfig['venues'][number]

/** Accounts with a role in a configured Hub. */
export type Roles = {
  readonly owner: Address
  /** The zero address if there is no guardian. */
  readonly guardian: Address
  readonly feeRecipient: Address
}

/** Converts a chain config to the argument of the Hub's `initialize`. */
export function hubConfigOf(
  config: ChainConfig,
  roles: Roles,
  routers: readonly Address[],
): HubConfig {
  return {
    wrappedNative: config.wrappedNative,
    feeRecipient: roles.feeRecipient,
    owner: roles.owner,
    guardian: roles.guardian,
    connectorTokens: config.connectorTokens,
    venues: config.venues.map(hubVenueOf),
    pools: config.pools,
    routers,
  }
}

function hubVenueOf(venue: VenueEntry): HubVenue {
  const { kind, unlockedWord, feePips, callback, deployer, initCodeHash, factory, tiers } = venue
  return {
    id: idOf(venue),
    factory,
    venue: {
      kind: VenueKind.numberOf(kind),
      enabled: true,
      unlockedWord,
      feePips,
      callback,
      deployer,
      initCodeHash,
    },
    tiers,
  }
}

function idOf({ id }: VenueEntry): Hex {
  return stringToHex(id, { size: 32 })
}
