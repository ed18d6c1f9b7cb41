import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tokenOut } from './encodePlan.js'
import { pairOf, symbolOf, tokenOf } from './simulate.js'

export type ChaosMarket = { readonly url: string; readonly stop: () => void }

/** Starts a source of market data in Dexscreener's format. Every token has one pool, with the stablecoin. */
export async function startMarket(): Promise<ChaosMarket> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://market')
    const symbol = searchParams.get('q')
    const place =
      symbol === null
        ? Number.parseInt(pathname.slice(-10), 16)
        : Number(symbol.slice(symbolOf(0).length - 1))
    const rows = [rowOf(place)]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(symbol === null ? rows : { pairs: rows }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function rowOf(place: number) {
  const symbol = symbolOf(place)
  return {
    chainId: 'base',
    dexId: 'chaos',
    pairAddress: pairOf(place),
    baseToken: { address: tokenOf(place), name: symbol, symbol },
    quoteToken: { address: tokenOut, name: 'USD Coin', symbol: 'USDC' },
    priceNative: '1',
    priceUsd: '1',
    liquidity: { usd: 2_000_000, base: 1_000_000, quote: 1_000_000 },
  }
}
