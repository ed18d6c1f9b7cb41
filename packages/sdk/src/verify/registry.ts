import { Addresses, Chains, Deployments, Registry as Domain } from '@sluice/domain'
import { DecodeError } from '../errors.js'
import type { Address, Hex } from '../wire.js'

/** Addresses of the contracts that you trust on one chain. */
export type TrustedContracts = {
  readonly quoter: Address
  readonly router: Address
  readonly [name: string]: Address
}

/** A chain and where the protocol stands on it. */
export type RegisteredChain = {
  readonly chainId: number
  /** Display name. */
  readonly name: string
  /** Generation of `contracts`. */
  readonly version: string
  readonly wrappedNative: Address
  readonly usdc: Address
  /** The protocol's token if the chain has it. */
  readonly slu: Address | null
  readonly blockTimeMs: number
  /** The zero address stands for "not deployed"; a manifest tells of fewer contracts than a deployments file. */
  readonly contracts: TrustedContracts
  /** The same of every generation that can be asked for by \`version\`; without it, of that of \`contracts\` alone. */
  readonly versions?: { readonly [version: string]: TrustedContracts } | undefined
  /** If nothing is deployed: code and storage that a call brings along. Nothing can be executed there. */
  readonly stateOverride?: StateOverride | undefined
}

/** Third parameter of an `eth_call`. */
export type StateOverride = {
  readonly [address: Address]: {
    readonly code?: Hex
    readonly state?: { readonly [slot: Hex]: Hex }
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}

/** The addresses that are trusted, by chain id. Pin it: commit it with your program, or check it once by hand. */
export type Registry = ReadonlyMap<number, RegisteredChain>

/** A manifest's part that matters here. */
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

/** What `getDeployments` gives, as far as it matters here. */
type GenerationsLike = {
  readonly versions: readonly {
    readonly version: string
    readonly chains: { readonly [chainId: string]: { readonly [name: string]: string | undefined } }
  }[]
}

const defaultBlockTimeMs = 2_000

/**
 * Reads a deployments file, as the deploy command writes it, or a manifest, as `getManifest` gives it. A manifest tells of
 * the default generation alone; with what `getDeployments` gives, the others can be asked for by `version`.
 *
 * Both are the service's word: compare the addresses once with a source of your own, then keep them.
 *
 * @throws DecodeError if it is neither.
 */
export function readRegistry(source: unknown, generations?: GenerationsLike): Registry {
  try {
    return isManifest(source) ? fromManifest(source, generations) : fromFile(source)
  } catch (cause) {
    throw new DecodeError(
      'is neither a deployments file nor a manifest',
      cause,
      'Give what the deploy command has written, or what `getManifest` gives.',
    )
  }
}

/** The chains on which the default generation is deployed. */
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
  if (!parsed.ok) throw new DecodeError('has a wrong address')
  return parsed.address
}
