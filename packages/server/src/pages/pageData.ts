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
  const keyOf = ({ address, chainId }: { address: string; chainId: number }) =>
    `${chainId} ${address.toLowerCase()}`
  const known = [...registry.values()].flatMap((chain) =>
    KnownTokens.of(chain).map((token) => ({ chainId: chain.chainId, ...token })),
  )
  const taken = new Set(known.map(keyOf))
  // The picture itself has an address of its own.
  const logos = new Map(
    tokenLists.flatMap((token) => (token.logo ? [[keyOf(token), token.logo.path]] : [])),
  )
  const isServed = new Set([...registry.keys()].filter((id) => Chains.find(id) !== undefined))
  const listed = tokenLists.filter(
    (token) => isServed.has(token.chainId) && !taken.has(keyOf(token)),
  )
  return [...known, ...listed]
    .slice(0, maxTokens)
    .map(({ address, chainId, decimals, name, symbol }) => {
      const logo = logos.get(keyOf({ address, chainId }))
      return { chainId, address, symbol, name, decimals, ...(logo !== undefined && { logo }) }
    })
}
