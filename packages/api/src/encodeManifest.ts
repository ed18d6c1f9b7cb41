import { Addresses, Amounts, Chains, type Deployments, Events, Registry } from '@sluice/domain'
import type { DiscoveryResponse, ManifestResponse } from './registry.js'

/** Facts about the service that the operator configures. */
export type Site = {
  /** Public URL, without a slash at the end. */
  readonly url: string
  readonly docs: string
  readonly contact: string
}

/** Name of the service in the manifest and in discovery. */
export const serviceName = 'Sluice'
/** Version of the API. */
export const serviceVersion = '1.0.0'

const totalSupply = '1,000,000,000'

/** By chain id: whether the contracts are deployed, and whether a node has shown their code. */
type Flags = ReadonlyMap<number, { readonly live: boolean; readonly probed: boolean }>

/** Encodes the response of GET /api/manifest. */
export function encodeManifest(
  deployments: Deployments.Deployments,
  options: { flags: Flags; site: Site },
): ManifestResponse {
  const { site } = options
  const { url } = site
  return {
    ok: true,
    name: serviceName,
    version: serviceVersion,
    url,
    docs: site.docs,
    deployments: `${url}/api/deployments`,
    prepare: `${url}/api/quote/prepare`,
    decode: `${url}/api/quote/decode`,
    integrate: hints,
    token: tokenOf(deployments),
    feeBps: Amounts.protocolFeeBps,
    chains: Chains.all.map((chain) => chainOf(chain, deployments, options.flags)),
    events: Events.all,
    contact: site.contact,
  }
}

/** One-line instructions for integrators, in the manifest and in discovery. */
/** One-line instructions for integrators, in the manifest and in discovery. */
export const hints: DiscoveryResponse['integrate'] = {
  sdk: 'import { createClient, getQuote } from "@sluice/sdk"',
  mcp: 'Streamable HTTP at /mcp, or `npx sluice-mcp` in a checkout over stdio; read-only tools, no key',
  prepare: 'GET /api/quote/prepare?chain=base&in=ETH&out=USDC&amountIn=1000000000000000000',
  decode: "POST /api/quote/decode with {request, result}: prepare's request, your node's response",
  deployments: 'GET /api/deployments?chain=base',
}

function tokenOf(deployments: Deployments.Deployments): ManifestResponse['token'] {
  const { base } = Chains
  const address = deployments.chains[base.chainId]?.slu ?? Addresses.zero
  return {
    symbol: 'SLU',
    chain: base.name,
    address,
    explorer: `${base.explorer}/token/${address}`,
    totalSupply,
  }
}

function chainOf(
  chain: Chains.Chain,
  deployments: Deployments.Deployments,
  flags: Flags,
): ManifestResponse['chains'][number] {
  const deployed = deployments.chains[chain.chainId]
  const contracts = deployed?.versions[Registry.defaultVersion]
  const isDeployed = (address = Addresses.zero) => !Addresses.equal(address, Addresses.zero)
  return {
    chainId: chain.chainId,
    name: chain.name,
    live: isDeployed(contracts?.quoter) && isDeployed(contracts?.router),
    probed: flags.get(chain.chainId)?.probed ?? false,
    protocolVersion: Registry.defaultVersion,
    explorer: chain.explorer,
    contracts: {
      core: contracts?.core ?? Addresses.zero,
      hub: contracts?.hub ?? Addresses.zero,
      solver: contracts?.solver ?? Addresses.zero,
      router: contracts?.router ?? Addresses.zero,
      quoter: contracts?.quoter ?? Addresses.zero,
      staking: contracts?.staking ?? Addresses.zero,
    },
    weth: deployed?.wrappedNative ?? chain.wrappedNative,
    usdc: deployed?.usdc ?? chain.usdc,
    ...(chain === Chains.base && { slu: deployed?.slu ?? Addresses.zero }),
  }
}
