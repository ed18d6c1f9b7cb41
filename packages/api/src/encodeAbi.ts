import { Abis } from '@sluice/domain'
import { ApiError } from './ApiError.js'
import { versionOf } from './encodeDeployments.js'
import type { AbiListResponse, AbiResponse } from './registry.js'

/**
 * Encodes the response of GET /api/abi: one ABI, or the list of them if `contract` is undefined.
 *
 * @throws ApiError `bad_contract`, `bad_version`
 */
export function encodeAbi(filters: {
  contract?: string | undefined
  version?: string | undefined
}): AbiListResponse | AbiResponse {
  const { contract } = filters
  const version =
    filters.version === undefined ? undefined : versionOf(Abis.versions, filters.version)
  const listed = Abis.list().filter(
    ({ versions }) => version === undefined || versions.includes(version),
  )
  if (contract === undefined)
    return { ok: true, contracts: listed.map((each) => toEntry(each, version)) }
  const found = listed.find((entry) => entry.contract === contract)
  if (found === undefined) {
    const reason = `must be one of ${listed.map((entry) => entry.contract).join(', ')}`
    throw new ApiError('bad_contract', `\`contract\` ${reason}.`, {
      details: [{ field: 'contract', code: 'bad_contract', reason }],
    })
  }
  const chosen = version ?? found.versions[0]!
  return { ok: true, contract, version: chosen, abi: [...Abis.find(contract, chosen)!] }
}

/** @param version The requested generation, which `path` then names. */
function toEntry(
  { contract, versions }: ReturnType<typeof Abis.list>[number],
  version: string | undefined,
) {
  const path = `/api/abi?contract=${contract}`
  return {
    contract,
    versions: [...versions],
    path: version === undefined ? path : `${path}&version=${version}`,
  }
}
