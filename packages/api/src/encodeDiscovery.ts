import { hints, type Site, serviceName, serviceVersion } from './encodeManifest.js'
import type { DiscoveryResponse, ManifestResponse } from './registry.js'

const trade = 'chain=base&in=ETH&out=USDC&amountIn=1000000000000000000'

/** Every endpoint of the specification, by its name there. */
const endpoints: DiscoveryResponse['endpoints'] = {
  prepare: {
    method: 'GET',
    path: '/api/quote/prepare',
    example: `/api/quote/prepare?${trade}`,
    note: 'The eth_call for a node of your own; no call is made here.',
  },
  prepareBatch: {
    method: 'POST',
    path: '/api/quote/prepare',
    note: 'At most 32, one JSON-RPC batch.',
  },
  decode: {
    method: 'POST',
    path: '/api/quote/decode',
    note: "Turns your node's answer into a checked quote with calldata; pure.",
  },
  deployments: {
    method: 'GET',
    path: '/api/deployments',
    example: '/api/deployments?chain=base&version=1.0.0',
  },
  abi: { method: 'GET', path: '/api/abi', example: '/api/abi?contract=quoter' },
  quote: { method: 'GET', path: '/api/quote', example: `/api/quote?${trade}` },
  quoteBatch: { method: 'POST', path: '/api/quote/batch', note: 'At most 10.' },
  manifest: { method: 'GET', path: '/api/manifest' },
  openapi: { method: 'GET', path: '/api/openapi.json' },
  health: { method: 'GET', path: '/api/health', note: 'From memory alone; poll it freely.' },
  stats: {
    method: 'GET',
    path: '/api/stats',
    note: 'Counted from Swap events; carries the log filter that reproduces each figure.',
  },
  badge: { method: 'GET', path: '/api/badge', note: 'Never green for what could not be read.' },
  solvency: { method: 'GET', path: '/solvency', note: 'As JSON at /api/solvency.' },
  llms: { method: 'GET', path: '/llms.txt' },
}

/** If the relay is retired, these answer `rpc_required`. */
const relayed = ['quote', 'quoteBatch']

/** @param options.isServed Whether the service has the path. */
export function encodeDiscovery(options: {
  chains: ManifestResponse['chains']
  site: Site
  isRelay: boolean
  isServed: (method: string, path: string) => boolean
}): DiscoveryResponse {
  const { chains, isRelay, isServed, site } = options
  const served = Object.entries(endpoints).filter(([, { method, path }]) => isServed(method, path))
  return {
    ok: true,
    name: serviceName,
    version: serviceVersion,
    description:
      'Open DEX aggregator: routes proven near-optimal on chain, quotes that anyone can repeat with one eth_call.',
    endpoints: Object.fromEntries(
      served.map(([name, endpoint]) => [
        name,
        relayed.includes(name) && !isRelay
          ? { ...endpoint, note: 'Retired relay: answers 400 rpc_required with the prepared call.' }
          : endpoint,
      ]),
    ),
    chains: chains.map(({ chainId, live, name }) => ({ chainId, name, live })),
    docs: site.docs,
    sdk: `${site.url}/sdk.md`,
    mcp: `${site.url}/mcp`,
    integrate: hints,
    contact: site.contact,
  }
}
