import type { hubAbi } from '@sluice/abi'
import { type Address, type ContractFunctionArgs, type Hex, stringToHex } from 'viem'
import type { ChainConfig, VenueEntry } from './parseChainConfig.js'

/** `IHub.Config`. */
export type HubConfig = ContractFunctionArgs<typeof hubAbi, 'nonpayable', 'initialize'>[0]
/** `VenueConfig` of the contracts. */
export type HubVenue = HubConfig['venues'][number]

/** `VenueKind` of the contracts. */
const venueKinds = { uniswapV2: 1, uniswapV3: 2 } as const

/** A chain config as the Hub takes it. */
export function hubConfigOf(config: ChainConfig, feeRecipient: Address): HubConfig {
  return {
    wrappedNative: config.wrappedNative,
    usdc: config.usdc,
    feeRecipient,
    connectorTokens: config.connectorTokens,
    venues: config.venues.map(hubVenueOf),
  }
}

function hubVenueOf(venue: VenueEntry): HubVenue {
  const { kind, unlockedWord, feePips, callback, deployer, initCodeHash, factory } = venue
  return {
    id: idOf(venue),
    factory,
    venue: {
      kind: venueKinds[kind],
      enabled: true,
      unlockedWord,
      feePips,
      callback,
      deployer,
      initCodeHash,
    },
    tiers:
      kind === 'uniswapV2'
        ? [{ key: 0, feePips, tickSpacing: 0 }]
        : venue.tiers.map(({ fee, tickSpacing }) => ({ key: fee, feePips: fee, tickSpacing })),
  }
}

function idOf({ id }: VenueEntry): Hex {
  return stringToHex(id, { size: 32 })
}
