import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deployGeneration, parseChainConfig } from '@sluice/deploy'
import { askNodeAt, followPools, openPoolStore, type PoolStore } from '@sluice/engine'
import type { Address } from 'viem'
import { inRepository } from '../lib/repository.js'
import type { Node } from '../lib/startNode.js'
import type { Market } from '../optimizer/Market.js'

/** What stands on the node after a market was put there. */
type Placed = {
  factories: Record<string, { address: Address; kind: 'v2' | 'v3'; fee?: number }>
  weth: Address
  /** Address in the market file to address on the node. */
  tokens: Record<string, Address>
  symbols: Record<string, Address>
  /** Pools on the node by their id in the market file. */
  pools: Record<string, Address>
}

export type Deployed = {
  placed: Placed
  quoter: Address
  connectorTokens: readonly Address[]
  /** Every pool of the market, read from the factories' events as the engine reads them. */
  pools: PoolStore
}

/** Of the development node. */
export const chainId = 31_337

type Deployer = { deploy(market: Market, options: { rpc: string }): Promise<Placed> }

/** Symbols of the connector tokens, where a market has them. */
export const connectorSymbols = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC']

/** Puts a market on a fresh node by the bench folder's own program, and the protocol beside it. */
export async function deployMarket(dir: string, market: Market, node: Node): Promise<Deployed> {
  const placed = await place(dir, market, node)
  const config = parseChainConfig({
    chainId,
    name: market.id,
    wrappedNative: placed.weth,
    usdc: placed.symbols['USDC'] ?? placed.weth,
    connectorTokens: connectorSymbols.flatMap((symbol) => placed.symbols[symbol] ?? []),
    venues: Object.entries(placed.factories).map(([id, { address, kind }]) => ({
      id,
      kind: kind === 'v2' ? 'uniswapV2' : 'uniswapV3',
      factory: address,
    })),
  })
  const { deployments } = await deployGeneration(node.rpc, { config })
  const { quoter } = deployments.chains[chainId]!.versions['1.0.0']!
  const pools = openPoolStore(':memory:')
  const factories = config.venues.map(({ factory }) => factory)
  await followPools({ ask: askNodeAt(chainId, node.url), store: pools, chainId, factories })
  return { placed, quoter, connectorTokens: config.connectorTokens, pools }
}

/** The program imports packages by name, so a copy of it runs inside the repository, where they are installed. */
async function place(dir: string, market: Market, node: Node): Promise<Placed> {
  mkdirSync(inRepository('.sluice'), { recursive: true })
  const copy = mkdtempSync(inRepository('.sluice/bench-'))
  try {
    for (const part of ['deploy.mjs', 'contracts']) {
      cpSync(join(dir, part), join(copy, part), { recursive: true })
    }
    const program: Deployer = await import(pathToFileURL(join(copy, 'deploy.mjs')).href)
    return await program.deploy(market, { rpc: node.url })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
