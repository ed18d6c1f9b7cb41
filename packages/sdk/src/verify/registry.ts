import { Addresses, Chains, Deployments, Registry as Domain } from '@sluice/domain'
import { DecodeError } from '../errors.js'
import type { Address, Hex } from '../wire.js'

/** Addresses of the contracts on one chain that you trust. */
export type TrustedContracts = {
  readonly quoter: Address
  readonly router: Address
  readonly [name: string]: Address
}

/** A chain with the contracts of the protocol. */
export type RegisteredChain = {
  readonly chainId: number
  /** Display name. */
  readonly name: string
  /** Generation of `contracts`. */
  readonly version: string
  readonly wrappedNative: Address
  readonly usdc: Address
  /** The protocol's token; null if the chain does not have it. */
  readonly slu: Address | null
  readonly blockTimeMs: number
  /** A contract that is not deployed has the zero address. A manifest has fewer contracts than a deployments file. */
  readonly contracts: TrustedContracts
  /** Contracts of each generation that `version` can select. Without it, only the generation of `contracts`. */
  readonly versions?: { readonly [version: string]: TrustedContracts } | undefined
  /** State override that calls need if nothing is deployed. Swaps cannot be executed then. */
  readonly stateOverride?: StateOverride | undefined
  /** The venues of the chain's Hub, by number, which `includeSources` and `excludeSources` name. Set by `withSources`. */
  readonly venues?: ReadonlyMap<number, RegisteredVenue> | undefined
}

/** A venue of a chain, by the number that the legs of a route have. */
export type RegisteredVenue = {
  readonly number: number
  /** Short name in the Hub, such as `uniswap-v3`. */
  readonly name: string
  /** False if routes do not use the venue. */
  readonly isEnabled: boolean
}

/** Third parameter of an `eth_call`: replaces code, storage and balances of accounts during the call. */
export type StateOverride = {
  readonly [address: Address]: {
    readonly balance?: Hex
    readonly code?: Hex
    readonly state?: { readonly [slot: Hex]: Hex }
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}

/** The trusted addresses, by chain id. Pin them: commit them with your program, or check them once by hand. */
export type Registry = ReadonlyMap<number, RegisteredChain>

/** The members of a manifest that are read. */
type ManifestLike = {
  readonly chains: readonly {
    readonly chainId: number
    readonly name: string
    readonly protocolVersion: string
    readonly contracts: { readonly [name: string]: string }
    readonly weth: string
    readonly usdc: string
    readonly slu?: string | null | undefined
  }[]
}

/** The members of a `getDeployments` response that are read. */
type GenerationsLike = {
  readonly versions: readonly {
    readonly version: string
    readonly chains: { readonly [chainId: string]: { readonly [name: string]: string | undefined } }
  }[]
}

const defaultBlockTimeMs = 2_000

/**
 * Reads a deployments file that the deploy command has written, or a manifest from `getManifest`. A manifest has only the
 * default generation; pass the result of `getDeployments` as `generations` to select others with `version`.
 *
 * A service could send false addresses: compare them once with another source, then keep them.
 *
 * @throws DecodeError if `source` is neither.
 */
export function readRegistry(source: unknown, generations?: GenerationsLike): Registry {
  try {
    return isManifest(source) ? fromManifest(source, generations) : fromFile(source)
  } catch (cause) {
    throw new DecodeError(
      'is neither a deployments file nor a manifest',
      cause,
      'Pass a file that the deploy command has written, or the result of `getManifest`.',
    )
  }
}

/** The members of a `getSources` response that are read. */
type SourcesLike = {
  readonly chainId: number
  readonly sources: readonly {
    readonly venue: number
    readonly venueName: string
    readonly enabled: boolean
  }[]
}

/**
 * The registry with the venues of some chains, from results of `getSources`, so that `prepare` and `verifyTransaction`
 * understand the names in `includeSources` and `excludeSources`. The number and the name of a venue never change; read them
 * again when the Hub has more venues.
 *
 * @throws DecodeError if the registry does not have the chain of a result.
 */
export function withSources(registry: Registry, ...answers: readonly SourcesLike[]): Registry {
  const chains = new Map(registry)
  for (const { chainId, sources } of answers) {
    const chain = chains.get(chainId)
    if (chain === undefined)
      throw new DecodeError(
        `has the venues of chain ${chainId}, which is not in the registry`,
        undefined,
        'Pass the result of `getSources` for a chain of the registry.',
      )
    const venues = sources.map(({ enabled, venue, venueName }): [number, RegisteredVenue] => [
      venue,
      { number: venue, name: venueName, isEnabled: enabled },
    ])
    chains.set(chainId, { ...chain, venues: new Map(venues) })
  }
  return chains
}

/** Chains of a deployments file that have the default generation. */
function fromFile(source: unknown): Registry {
  const { chains } = Deployments.parse(source)
  return new Map(
    Object.entries(chains).flatMap(([key, chain]): [number, RegisteredChain][] => {
      const contracts = chain.versions[Domain.defaultVersion]
      if (contracts === undefined || Addresses.equal(contracts.quoter, Addresses.zero)) return []
      const chainId = Number(key)
      return [[chainId, { ...chain, chainId, version: Domain.defaultVersion, contracts }]]
    }),
  )
}

function isManifest(source: unknown): source is ManifestLike {
  return Array.isArray((source as ManifestLike | null)?.chains)
}

function fromManifest({ chains }: ManifestLike, generations?: GenerationsLike): Registry {
  return new Map(
    chains.map(({ chainId, contracts, name, protocolVersion, slu, usdc, weth }) => [
      chainId,
      {
        chainId,
        name,
        version: protocolVersion,
        wrappedNative: address(weth),
        usdc: address(usdc),
        slu: slu ? address(slu) : null,
        blockTimeMs: Chains.find(chainId)?.blockTimeMs ?? defaultBlockTimeMs,
        contracts: trusted(contracts),
        ...(generations && { versions: versionsOn(chainId, generations) }),
      },
    ]),
  )
}

function versionsOn(chainId: number, { versions }: GenerationsLike) {
  return Object.fromEntries(
    versions.flatMap(({ chains, version }) => {
      const contracts = chains[chainId]
      return contracts === undefined ? [] : [[version, trusted(contracts)]]
    }),
  )
}

function trusted(contracts: { readonly [name: string]: string | undefined }): TrustedContracts {
  return {
    ...Object.fromEntries(Object.entries(contracts).map(([each, text]) => [each, address(text)])),
    quoter: address(contracts['quoter']),
    router: address(contracts['router']),
  }
}

function address(text: string | undefined): Address {
  const parsed = Addresses.parse(text ?? '')
  if (!parsed.ok) throw new DecodeError('has an invalid address')
  return parsed.address
}
