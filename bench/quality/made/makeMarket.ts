import { createRpc, uniswapV4Key } from '@sluice/deploy'
import { account, type ChainSpec, furnishChain, type PoolSpec, startAnvil } from '@sluice/devnet'
import { type Address, decodeAbiParameters, type Hex, numberToHex, toFunctionSelector } from 'viem'
import type { Oracle } from '../../optimizer/Oracle.js'
import type * as Random from '../../optimizer/Random.js'
import { chainId, type Place, type Standing } from '../Standing.js'
import type { AddedPool, Annexed } from './annexes/Annex.js'
import { addConverters } from './annexes/converters.js'
import { addHooked } from './annexes/hooked.js'
import { addRegistries, registeredVenue } from './annexes/registries.js'
import { drawPools } from './drawPools.js'
import { drawSpec } from './drawSpec.js'
import { type MadePool, marketOf, openMarket } from './oracleOf.js'

/** Gas limit of metered calls, which is higher than the devnet's block gas limit. */
const GAS_LIMIT = 200_000_000
/** Timeout of a request to the node. */
const CALL_MS = 600_000

/** What is added to the usual pools of a random market. */
const annexes = {
  none: (random, spec, options) => ({ spec, pools: drawPools(random, spec, options), added: [] }),
  converters: (random, given, options) => {
    const annexed = addConverters(random, given)
    return { ...annexed, pools: drawPools(random, annexed.spec, options) }
  },
  hooked: (random, spec, options) => {
    const pools = drawPools(random, spec, options)
    return { ...addHooked(random, spec), spec, pools }
  },
  registries: (random, spec, options) =>
    addRegistries(random, spec, drawPools(random, spec, options)),
} as const satisfies Record<
  string,
  (random: Random.Random, spec: ChainSpec, options: { count: number; maxTokens: number }) => Annexed
>
export type AnnexName = keyof typeof annexes

/** Draws a market with pools of every kind, puts it on a fresh node, and deploys the protocol. */
export async function makeMarket(
  oracle: Oracle,
  random: Random.Random,
  { annex, id, maxTokens, size }: { id: string; maxTokens: number; size: number; annex: AnnexName },
): Promise<Standing> {
  const options = { count: size, maxTokens }
  return await standMarket(oracle, annexes[annex](random, drawSpec(random, id), options))
}

/** A market of random pools, with the data that is needed to add pools. */
export type MadeStanding = Standing & {
  router: Address
  /** The pools in the order of the oracle's market; those of an annex follow. */
  made: readonly MadePool[]
  added: readonly AddedPool[]
  /** The venues in the order of their numbers, which start at 1. */
  venues: readonly { id: string; deployer: Address }[]
}

/** Puts a chain with these pools on a fresh node and deploys the protocol. The market has the chain's name. */
export async function standMarket(
  oracle: Oracle,
  { added, annex, pools: drawn, spec }: Annexed,
): Promise<MadeStanding> {
  const id = spec.name
  const anvil = await startAnvil({ chainId, port: 0 })
  // A busy machine is slow, and that says nothing about a quote.
  const rpc = createRpc(anvil.rpcUrl, { timeoutMs: CALL_MS })
  try {
    const furnished = await furnishChain(rpc, spec, { pools: drawn, account, annex })
    await rpc.request('evm_setBlockGasLimit', [numberToHex(GAS_LIMIT)])
    const addressed = drawn.map((pool, index) => ({
      id: `${id}-${index}`,
      spec: pool,
      address: furnished.addresses[index]!,
    }))
    const pools = await readMade(rpc, addressed)
    const market = marketOf(id, spec.tokens, pools, added)
    const { finder, hub, pricer, quoter, router } =
      furnished.deployments.chains[chainId]!.versions['1.0.0']!
    return {
      market,
      rpc,
      url: anvil.rpcUrl,
      deployments: furnished.deployments,
      contracts: { finder, hub, pricer, quoter },
      tokens: Object.fromEntries(spec.tokens.map(({ address }) => [address, address])),
      connectors: furnished.config.connectorTokens,
      ...placesOf(addressed, added, furnished.config.venues),
      open: (tokens) => openMarket(oracle, market, { pools, added, tokens }),
      stop: anvil.stop,
      router,
      made: pools,
      added,
      venues: furnished.config.venues,
    }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Returns where the pools are that legs name, and the hints for those that no contract lists. */
function placesOf(
  pools: readonly { id: string; spec: PoolSpec; address: Address }[],
  added: readonly AddedPool[],
  venues: readonly { id: string; deployer: Address }[],
): Pick<Standing, 'hinted' | 'pools'> {
  const adapterOf = (venue: string) => venues.find(({ id }) => id === venue)!.deployer
  const registered = pools.flatMap(({ address, id, spec }) => {
    const venue = registeredVenue(spec)
    return venue ? [{ id, venue, pool: address, isHinted: spec.kind !== 'curve' }] : []
  })
  const ofAdapters = [...registered, ...added]
  return {
    pools: new Map<string, Place>([
      ...pools.map(({ address, id, spec }): [string, Place] => [id, { address, key: keyOf(spec) }]),
      ...ofAdapters.map(({ id, pool, venue }): [string, Place] => [
        id,
        { address: adapterOf(venue), hint: pool },
      ]),
    ]),
    hinted: ofAdapters.flatMap(({ isHinted, pool }) => (isHinted ? [pool] : [])),
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
