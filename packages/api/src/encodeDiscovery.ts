import { Endpoints } from '@sluice/domain'
import { hints, type Site, serviceName, serviceVersion } from './encodeManifest.js'
import type { Operation } from './operations/Operation.js'
import { operations } from './operations/operations.js'
import type { DiscoveryResponse, ManifestResponse } from './registry.js'

/** Encodes the response of GET /api. @param options.isRelay Whether the service quotes on its own nodes. */
export function encodeDiscovery(options: {
  chains: ManifestResponse['chains']
  site: Site
  isRelay: boolean
}): DiscoveryResponse {
  const { chains, isRelay, site } = options
  return {
    ok: true,
    name: serviceName,
    version: serviceVersion,
    description:
      'Open DEX aggregator: routes proven near-optimal on chain, quotes that anyone can repeat with one eth_call.',
    endpoints: Object.fromEntries(operations.flatMap((each) => entryOf(each, isRelay))),
    chains: chains.map(({ chainId, live, name }) => ({ chainId, name, live })),
    docs: site.docs,
    sdk: `${site.url}/sdk.md`,
    mcp: `${site.url}${Endpoints.all.postMcp.path}`,
    integrate: hints,
    contact: site.contact,
  }
}

/** Entry of an operation in the index; empty if the index does not list it. */
function entryOf(
  { discovery, method, needsRelay, path }: Operation,
  isRelay: boolean,
): [string, DiscoveryResponse['endpoints'][string]][] {
  if (discovery === undefined) return []
  const { name, query } = discovery
  const retired = 'Retired relay: responds with 400 rpc_required and the prepared call.'
  const note = needsRelay && !isRelay ? retired : discovery.note
  const example = query === undefined ? undefined : `${path}?${query}`
  return [[name, { method, path, ...(example && { example }), ...(note && { note }) }]]
}
