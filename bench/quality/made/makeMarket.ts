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

/** The meter gives calls more than any block of the devnet has. */
const GAS_LIMIT = 200_000_000

/** Draws a market of pools of every kind and puts it on a fresh node, the protocol beside it. */
export async function makeMarket(
  oracle: Oracle,
  random: Random.Random,
  { id, maxTokens, size }: { id: string; maxTokens: number; size: number },
): Promise<Standing> {
  const spec = drawSpec(random, id)
  return await standMarket(oracle, spec, drawPools(random, spec, { count: size, maxTokens }))
}

/** A market of made-up pools, with what adding to it takes. */
export type MadeStanding = Standing & {
  router: Address
  /** As the oracle counts them. */
  made: readonly MadePool[]
  /** Ids of the venues in the order of their numbers, of which the first is 1. */
  venueIds: readonly string[]
  /** Factories that announce pools. */
  factories: readonly Address[]
  rpcUrl: string
}

/** Puts a chain of these pools on a fresh node, the protocol beside it; the market has the chain's name. */
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

/** Pools with what they hold now if that is not what they were seeded with. */
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

/** Set if one contract has many pools. */
function keyOf(spec: PoolSpec): bigint | undefined {
  if (spec.kind !== 'uniswapV4') return undefined
  return uniswapV4Key({ fee: spec.feePips, tickSpacing: spec.tickSpacing, native: spec.native })
}
