import type { Address } from 'viem'
import * as Addresses from '../values/Addresses.js'
import { BaseError } from '../values/Errors.js'

/** Names of the contracts of one generation. A contract that is not deployed has the zero address. */
export const contractNames = [
  'core',
  'finder',
  'hub',
  'optimizer',
  'pricer',
  'sampler',
  'solver',
  'router',
  'quoter',
  'staking',
] as const

/** Addresses of a generation's contracts on a chain. */
export type Contracts = { readonly [name in (typeof contractNames)[number]]: Address }

/** A chain with the contracts of every generation. */
export type ChainDeployments = {
  /** Display name. */
  readonly name: string
  readonly wrappedNative: Address
  readonly usdc: Address
  /** The protocol's token; null if the chain does not have it. */
  readonly slu: Address | null
  readonly blockTimeMs: number
  /** By protocol version, such as "1.0.0". */
  readonly versions: { readonly [version: string]: Contracts }
}

/** Content of the file that the deploy command writes and the server reads. */
export type Deployments = {
  readonly schema: 1
  /** By chain id in decimal. */
  readonly chains: { readonly [chainId: string]: ChainDeployments }
}

/**
 * Parses the content of a deployments file.
 *
 * Strict: rejects unknown members too, because such a member may be a misspelled one.
 *
 * @throws InvalidDeploymentsError with the path of the first invalid member.
 */
export function parse(value: unknown): Deployments {
  const file = record(value, '$', ['schema', 'chains'])
  if (file['schema'] !== 1) throw new InvalidDeploymentsError('$.schema', 'must be 1')
  const chains = record(file['chains'], '$.chains')
  return {
    schema: 1,
    chains: mapEntries(chains, (chain, chainId) => {
      const path = `$.chains.${chainId}`
      if (!/^[1-9][0-9]{0,14}$/.test(chainId))
        throw new InvalidDeploymentsError(path, 'must be named by a chain id')
      return parseChain(chain, path)
    }),
  }
}

function parseChain(value: unknown, path: string): ChainDeployments {
  const members = ['name', 'wrappedNative', 'usdc', 'slu', 'blockTimeMs', 'versions']
  const chain = record(value, path, members)
  const { blockTimeMs, name, slu } = chain
  if (typeof name !== 'string' || name === '')
    throw new InvalidDeploymentsError(`${path}.name`, 'must be a string that is not empty')
  if (typeof blockTimeMs !== 'number' || !Number.isSafeInteger(blockTimeMs) || blockTimeMs <= 0)
    throw new InvalidDeploymentsError(`${path}.blockTimeMs`, 'must be a positive integer')
  const versions = record(chain['versions'], `${path}.versions`)
  return {
    name,
    wrappedNative: address(chain['wrappedNative'], `${path}.wrappedNative`),
    usdc: address(chain['usdc'], `${path}.usdc`),
    slu: slu === null ? null : address(slu, `${path}.slu`),
    blockTimeMs,
    versions: mapEntries(versions, (contracts, version) =>
      parseContracts(contracts, `${path}.versions.${version}`),
    ),
  }
}

function parseContracts(value: unknown, path: string): Contracts {
  // Older deployments have no Finder: their Pricer finds the pools.
  const given = typeof value === 'object' ? { finder: Addresses.zero, ...value } : value
  const contracts = record(Array.isArray(value) ? value : given, path, contractNames)
  return mapEntries(contracts, (entry, name) => address(entry, `${path}.${name}`)) as Contracts
}

function record(value: unknown, path: string, members?: readonly string[]) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidDeploymentsError(path, 'must be an object')
  const found = value as Record<string, unknown>
  if (members === undefined) return found
  const missing = members.find((member) => !Object.hasOwn(found, member))
  if (missing !== undefined) throw new InvalidDeploymentsError(`${path}.${missing}`, 'is missing')
  const unknown = Object.keys(found).find((key) => !members.includes(key))
  if (unknown !== undefined) throw new InvalidDeploymentsError(`${path}.${unknown}`, 'is unknown')
  return found
}

function mapEntries<from, to>(
  entries: Record<string, from>,
  change: (value: from, key: string) => to,
): { readonly [key: string]: to } {
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [key, change(value, key)]),
  )
}

function address(value: unknown, path: string): Address {
  const parsed = typeof value === 'string' ? Addresses.parse(value) : undefined
  if (!parsed?.ok) throw new InvalidDeploymentsError(path, 'must be an address')
  return parsed.address
}

/** Thrown if a deployments file does not have the format that the deploy command writes. */
export class InvalidDeploymentsError extends BaseError {
  override readonly name = 'Deployments.InvalidDeploymentsError'
  constructor(path: string, reason: string) {
    super(`Deployments file: ${path} ${reason}.`, {
      code: 'invalid_deployments',
      metaMessages: ['Write the file again with the deploy command.'],
    })
  }
}
