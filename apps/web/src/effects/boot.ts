import { Chains } from '@sluice/domain'
import {
  type Client,
  createClient,
  type DeploymentsResponse,
  type ManifestResponse,
} from '@sluice/sdk'
import { type Registry, readRegistry } from '@sluice/sdk/verify'
import { tokenKey } from '../machine/question.js'
import { nativeCoin, type Token } from '../machine/State.js'

/** What the service tells the page before the form stands. */
export type PageData = {
  readonly manifest: ManifestResponse
  readonly deployments: DeploymentsResponse
  /** Nodes that everybody may ask: a development network's own. */
  readonly nodes: Readonly<Record<string, string>>
  readonly tokens: readonly {
    readonly chainId: number
    readonly address: string
    readonly symbol: string
    readonly name: string
    readonly decimals: number
    /** Path of a picture on this service. */
    readonly logo?: string | undefined
  }[]
}

/** A chain on which the page trades. */
export type PageChain = {
  readonly chainId: number
  readonly name: string
  readonly alias: string
  readonly explorer: string
  readonly wrappedNative: string
  readonly usdc: string
}

/** What the page starts from. */
export type Boot = {
  readonly client: Client
  readonly registry: Registry
  readonly chains: readonly PageChain[]
  readonly nodes: ReadonlyMap<number, string>
  readonly tokens: ReadonlyMap<string, Token>
  readonly generations: ReadonlyMap<number, readonly string[]>
}

/** Reads what the page starts from; asked for ahead by the page itself. */
export async function readPageData(): Promise<PageData> {
  const answer = await fetch('/page.json', { signal: AbortSignal.timeout(15_000) })
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
  return (await answer.json()) as PageData
}

/** Chains, tokens and contracts from the page's data. */
export function bootFrom(data: PageData, baseUrl: string): Boot {
  const { deployments, manifest } = data
  const nodes = new Map(Object.entries(data.nodes).map(([id, url]) => [Number(id), url]))
  const registry = readRegistry(manifest, deployments)
  const served = manifest.chains.filter(({ chainId }) => chainId in deployments.active)
  const chains = (served.length > 0 ? served : manifest.chains).map(
    ({ chainId, explorer, name, usdc, weth }) => ({
      ...{ chainId, name, explorer, usdc },
      alias: Chains.find(chainId)?.alias ?? String(chainId),
      wrappedNative: weth,
    }),
  )
  return {
    client: createClient({ baseUrl }),
    registry,
    chains,
    nodes,
    tokens: new Map(
      listOf(data, chains).map((token) => [tokenKey(token.chainId, token.address), token]),
    ),
    generations: new Map(
      chains.map(({ chainId }) => [
        chainId,
        deployments.versions.flatMap(({ chains: at, version }) => {
          const router = at[String(chainId)]?.router
          return router !== undefined && BigInt(router) !== 0n ? [version] : []
        }),
      ]),
    ),
  }
}

function listOf({ manifest, tokens }: PageData, chains: readonly PageChain[]): readonly Token[] {
  return chains.flatMap(({ chainId }) => {
    const isListed = true
    const coin = {
      chainId,
      address: nativeCoin,
      symbol: 'ETH',
      name: 'Ether',
      decimals: 18,
      isListed,
    }
    const slu = manifest.chains.find((chain) => chain.chainId === chainId)?.slu
    const own = slu
      ? [{ chainId, address: slu, symbol: 'SLU', name: 'Sluice', decimals: 18, isListed }]
      : []
    const listed = tokens
      .filter((token) => token.chainId === chainId)
      .map((token) => ({ ...token, isListed }))
    return [coin, ...listed, ...own]
  })
}
