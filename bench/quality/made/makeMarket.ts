import { uniswapV4Key } from '@sluice/deploy'
import { account, type ChainSpec, furnishChain, type PoolSpec, startAnvil } from '@sluice/devnet'
import { askNodeAt, followPools, openPoolStore } from '@sluice/engine'
import { type Address, decodeAbiParameters, type Hex, numberToHex, toFunctionSelector } from 'viem'
import type { Oracle } from '../../optimizer/Oracle.js'
import type * as Random from '../../optimizer/Random.js'
import { chainId, type Standing } from '../Standing.js'
import { drawPools } from './drawPools.js'
import { drawSpec } from './drawSpec.js'
import { type MadePool, marketOf, openMarket } from './oracleOf.js'

/** Gas limit of metered calls, which is higher than the devnet's block gas limit. */
const GAS_LIMIT = 200_000_000

/** Draws a market with pools of every kind, puts it on a fresh node, and deploys the protocol. */
export async function makeMarket(
  oracle: Oracle,
  random: Random.Random,
  { id, maxTokens, size }: { id: string; maxTokens: number; size: number },
): Promise<Standing> {
  const spec = drawSpec(random, id)
  return await standMarket(oracle, spec, drawPools(random, spec, { count: size, maxTokens }))
}

/** A market of random pools, with the data that is needed to add pools. */
export type MadeStanding = Standing & {
  router: Address
  /** The pools in the order of the oracle's market. */
  made: readonly MadePool[]
  /** Ids of the venues in the order of their numbers, which start at 1. */
  venueIds: readonly string[]
  /** Factories that announce pools. */
  factories: readonly Address[]
  rpcUrl: string
}

/** Puts a chain with these pools on a fresh node and deploys the protocol. The market has the chain's name. */
export async function standMarket(
  oracle: Oracle,
  spec: ChainSpec,
  drawn: readonly PoolSpec[],
): Promise<MadeStanding> {
  const id = spec.name
  const anvil = await startAnvil({ chainId, port: 0 })
  const { rpc } = anvil
  try {
    const furnished = await furnishChain(rpc, spec, { pools: drawn, account })
    await rpc.request('evm_setBlockGasLimit', [numberToHex(GAS_LIMIT)])
    const addressed = drawn.map((pool, index) => ({
      id: `${id}-${index}`,
      spec: pool,
      address: furnished.addresses[index]!,
    }))
    const pools = await readMade(rpc, addressed)
    const market = marketOf(id, spec.tokens, pools)
    const { finder, hub, pricer, quoter, router } =
      furnished.deployments.chains[chainId]!.versions['1.0.0']!
    const store = openPoolStore(':memory:')
    const factories = furnished.config.venues.map(({ factory }) => factory)
    await followPools({ ask: askNodeAt(chainId, anvil.rpcUrl), store, chainId, factories })
    return {
      market,
      rpc,
      url: anvil.rpcUrl,
      deployments: furnished.deployments,
      contracts: { finder, hub, pricer, quoter },
      tokens: Object.fromEntries(spec.tokens.map(({ address }) => [address, address])),
      connectors: furnished.config.connectorTokens,
      pools: new Map(
        addressed.map((pool) => [pool.id, { address: pool.address, key: keyOf(pool.spec) }]),
      ),
      store,
      listed: furnished.config.pools.map(({ tokens }) => tokens),
      open: (tokens) => openMarket(oracle, market, pools, tokens),
      stop: anvil.stop,
      router,
      made: pools,
      venueIds: furnished.config.venues.map((venue) => venue.id),
      factories,
      rpcUrl: anvil.rpcUrl,
    }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Returns pools with their current reserves, if these differ from the amounts at creation. */
export async function readMade(
  rpc: Standing['rpc'],
  pools: readonly { id: string; spec: PoolSpec; address: Address }[],
): Promise<MadePool[]> {
  const reserves = async (address: Address) => {
    const data = toFunctionSelector('getReserves()')
    const answer = await rpc.request<Hex>('eth_call', [{ to: address, data }, 'latest'])
    return decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], answer)
  }
  return await Promise.all(
    pools.map(
      async ({ address, ...pool }): Promise<MadePool> => ({
        ...pool,
        reserves: pool.spec.kind === 'solidly' ? await reserves(address) : undefined,
      }),
    ),
  )
}

/** Returns the pool's key if one contract has many pools. */
function keyOf(spec: PoolSpec): bigint | undefined {
  if (spec.kind !== 'uniswapV4') return undefined
  return uniswapV4Key({ fee: spec.feePips, tickSpacing: spec.tickSpacing, native: spec.native })
}
