import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenSpec } from '../chains.js'
import type { PlacedPool } from './readReserves.js'
import { type ReportedChain, reportPairs, slugs } from './reportPairs.js'

/** A running market-data service. */
export type MarketData = {
  readonly url: string
  /** Stops the service; resolves when its port is free. */
  stop(): Promise<void>
}

/** Limits of Dexscreener. */
const maxPairs = 30
const maxTokens = 30
const schemaVersion = '1.0.0'

/**
 * Serves the devnet's pools on a free local port, in the format of Dexscreener's API. Reserves are read at each request.
 * The reserves of one token, MIRAGE, are made up, so that phantom liquidity can be tested.
 */
export async function startMarketData(chains: readonly ReportedChain[]): Promise<MarketData> {
  const server = createServer((request, response) => {
    const respond = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    answer(chains, new URL(request.url ?? '/', 'http://localhost')).then(
      (body) => (body === undefined ? respond(404, { message: 'Not found' }) : respond(200, body)),
      // A node that is shutting down does not respond.
      () => respond(500, { message: 'Internal error' }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The response body; `undefined` if the path is unknown. */
async function answer(
  chains: readonly ReportedChain[],
  { pathname, searchParams }: URL,
): Promise<unknown> {
  const [first, second, third, slug, asked = ''] = pathname.split('/').slice(1)
  if (pathname === '/latest/dex/search')
    return { schemaVersion, pairs: await search(chains, searchParams.get('q') ?? '') }
  if (first === 'latest' && second === 'dex' && third === 'pairs') {
    const pairs = await pairsWhere(chains, slug, ({ address }) => isSame(address, asked))
    return { schemaVersion, pairs: pairs.length === 0 ? null : pairs }
  }
  const addresses = (slug ?? '').split(',').slice(0, maxTokens)
  const holdsOne = ({ spec }: PlacedPool) =>
    [spec.token0, spec.token1].some(({ address }) => addresses.some((one) => isSame(one, address)))
  const isOfTokens = (first === 'token-pairs' || first === 'tokens') && second === 'v1'
  return isOfTokens ? await pairsWhere(chains, third, holdsOne) : undefined
}

async function search(chains: readonly ReportedChain[], query: string): Promise<object[]> {
  const text = query.toLowerCase()
  const isMeant = ({ address, symbol }: TokenSpec) =>
    symbol.toLowerCase().includes(text) || isSame(address, text)
  if (text === '') return []
  const found = await Promise.all(
    chains.map((chain) =>
      reportPairs(
        chain,
        chain.pools.filter(({ spec }) => isMeant(spec.token0) || isMeant(spec.token1)),
      ),
    ),
  )
  return found.flatMap((pairs) => pairs.slice(0, Math.ceil(maxPairs / chains.length)))
}

async function pairsWhere(
  chains: readonly ReportedChain[],
  slug: string | undefined,
  isMeant: (pool: PlacedPool) => boolean,
): Promise<object[]> {
  const chain = chains.find(({ spec }) => slugs[spec.chainId] === slug)
  if (chain === undefined) return []
  return (await reportPairs(chain, chain.pools.filter(isMeant))).slice(0, maxPairs)
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
