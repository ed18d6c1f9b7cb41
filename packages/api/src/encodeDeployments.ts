import { Chains, type Deployments, type Registry } from '@sluice/domain'
import { ApiError } from './ApiError.js'
import type { DeploymentsResponse } from './registry.js'

type Filters = { chain?: string | undefined; version?: string | undefined }

/**
 * Encodes the response of GET /api/deployments: the contracts by generation and chain.
 *
 * @throws ApiError `bad_chain`, `bad_version`
 */
export function encodeDeployments(
  deployments: Deployments.Deployments,
  options: { active: Registry.Registry; updatedAt: number; filters: Filters; preferred: string },
): DeploymentsResponse {
  const { active, filters, preferred, updatedAt } = options
  const chainIds = chainIdsFor(deployments, filters.chain)
  const all = new Set(
    Object.values(deployments.chains).flatMap((each) => Object.keys(each.versions)),
  )
  const versions = [...all].sort()
  const wanted = filters.version === undefined ? versions : [versionOf(versions, filters.version)]
  return {
    ok: true,
    schema: 1,
    updatedAt,
    versions: wanted.map((version) => ({
      version,
      status: version === preferred ? 'active' : 'available',
      source: `contracts/src/v${version.split('.')[0]}`,
      chains: Object.fromEntries(
        chainIds.flatMap((chainId) => {
          const contracts = deployments.chains[chainId]?.versions[version]
          return contracts === undefined ? [] : [[chainId, contracts]]
        }),
      ),
    })),
    active: Object.fromEntries(
      chainIds.flatMap((chainId) => {
        const chain = active.get(Number(chainId))
        const isDeployed = chain !== undefined && chain.stateOverride === undefined
        if (!isDeployed || !wanted.includes(chain.version)) return []
        return [[chainId, { version: chain.version, contracts: chain.contracts }]]
      }),
    ),
  }
}

function chainIdsFor({ chains }: Deployments.Deployments, text: string | undefined): string[] {
  if (text === undefined) return Object.keys(chains)
  const chainId = Chains.idOf(text)
  if (chainId !== undefined && Object.hasOwn(chains, String(chainId))) return [String(chainId)]
  const known = Object.keys(chains).join(', ') || 'none yet'
  const reason = `has no deployment; chains with a deployment: ${known}`
  throw new ApiError('bad_chain', `\`chain\` ${reason}.`, {
    details: [{ field: 'chain', code: 'bad_chain', reason }],
  })
}

/**
 * The version that a string names, such as "1.0.0", or "1" for the version of that generation.
 *
 * @throws ApiError `bad_version`
 */
export function versionOf(versions: readonly string[], text: string): string {
  const found = versions.find((version) => version === text || version.split('.')[0] === text)
  if (found !== undefined) return found
  const reason = `must be one of ${versions.join(', ')}`
  throw new ApiError('bad_version', `\`version\` ${reason}.`, {
    details: [{ field: 'version', code: 'bad_version', reason }],
  })
}
