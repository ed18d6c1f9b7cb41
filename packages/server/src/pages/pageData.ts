import { encodeDeployments, encodeManifest, type Site } from '@sluice/api'
import { Chains, type Deployments, KnownTokens, Registry } from '@sluice/domain'
import type { ListedToken } from '@sluice/engine'

/** Where the swap page reads what it starts from. */
export const pageDataPath = '/page.json'

export type PageDataOptions = {
  deployments: Deployments.Deployments
  registry: Registry.Registry
  /** Unix milliseconds when the deployments were written. */
  updatedAt: number
  /** Addresses of nodes that may be told. */
  publicRpcUrls: ReadonlyMap<number, readonly string[]>
  /** Tokens that the operator lists. */
  tokenLists: readonly ListedToken[]
}

/** What the swap page starts from: chains, contracts, tokens. Nothing of it changes while the service runs. */
export function pageData(options: PageDataOptions, site: Site) {
  const { deployments, publicRpcUrls, registry, updatedAt } = options
  const preferred = Registry.defaultVersion
  return {
    ok: true,
    manifest: encodeManifest(deployments, { flags: new Map(), site }),
    deployments: encodeDeployments(deployments, {
      active: registry,
      updatedAt,
      preferred,
      filters: { chain: undefined, version: undefined },
    }),
    nodes: Object.fromEntries(
      [...publicRpcUrls].flatMap(([id, [url]]) => (url ? [[id, url]] : [])),
    ),
    tokens: tokensOf(options),
  }
}

const maxTokens = 400

function tokensOf({ registry, tokenLists }: PageDataOptions) {
  const known = [...registry.values()].flatMap((chain) =>
    KnownTokens.of(chain).map((token) => ({ chainId: chain.chainId, ...token })),
  )
  const taken = new Set(known.map(({ address, chainId }) => `${chainId} ${address.toLowerCase()}`))
  const isServed = new Set([...registry.keys()].filter((id) => Chains.find(id) !== undefined))
  const listed = tokenLists.filter(
    ({ address, chainId }) =>
      isServed.has(chainId) && !taken.has(`${chainId} ${address.toLowerCase()}`),
  )
  return [...known, ...listed].slice(0, maxTokens)
}
