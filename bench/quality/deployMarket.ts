import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deployGeneration, parseChainConfig } from '@sluice/deploy'
import type { Address } from 'viem'
import { inRepository } from '../lib/repository.js'
import { type Node, startNode } from '../lib/startNode.js'
import { isPair, type Market } from '../optimizer/Market.js'
import type { Oracle } from '../optimizer/Oracle.js'
import { chainId, type Standing } from './Standing.js'

/** Output of the bench folder's program for a market that it put on a node. */
type Placed = {
  factories: Record<string, { address: Address; kind: 'v2' | 'v3'; fee?: number }>
  weth: Address
  /** Maps token addresses in the market file to addresses on the node. */
  tokens: Record<string, Address>
  symbols: Record<string, Address>
  /** Pools on the node by their id in the market file. */
  pools: Record<string, Address>
}

type Deployer = { deploy(market: Market, options: { rpc: string }): Promise<Placed> }

/** Symbols of the connector tokens; a market may lack some. */
const connectorSymbols = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC']

/** Puts a market on a fresh node with the bench folder's program, and deploys the protocol there. */
export async function deployMarket(dir: string, oracle: Oracle, market: Market): Promise<Standing> {
  const node = await startNode()
  try {
    const placed = await place(dir, market, node)
    const connectors = connectorSymbols.flatMap((symbol) =>
      Object.keys(market.tokens).filter(
        (token) => market.tokens[token]!.symbol === symbol && placed.tokens[token],
      ),
    )
    const config = parseChainConfig({
      chainId,
      name: market.id,
      wrappedNative: placed.weth,
      usdc: placed.symbols['USDC'] ?? placed.weth,
      connectorTokens: connectors.map((token) => placed.tokens[token]),
      venues: Object.entries(placed.factories).map(([id, { address, kind }]) => ({
        id,
        kind: kind === 'v2' ? 'uniswapV2' : 'uniswapV3',
        factory: address,
      })),
    })
    const { deployments } = await deployGeneration(node.rpc, { config })
    const { finder, hub, pricer, quoter } = deployments.chains[chainId]!.versions['1.0.0']!
    return {
      market,
      rpc: node.rpc,
      url: node.url,
      deployments,
      contracts: { finder, hub, pricer, quoter },
      tokens: placed.tokens,
      connectors,
      pools: new Map(Object.entries(placed.pools).map(([id, address]) => [id, { address }])),
      hinted: [],
      open: (tokens) =>
        new oracle.Market(market, {
          filter: (pool) =>
            placed.pools[pool.id] !== undefined &&
            isPair(pool) &&
            (!tokens || (tokens.has(pool.token0) && tokens.has(pool.token1))),
        }),
      stop: node.stop,
    }
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** Runs a copy of the program inside the repository, because the packages that it imports are installed there. */
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
