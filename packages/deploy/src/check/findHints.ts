import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  numberToHex,
  pad,
  parseAbi,
  toEventSelector,
} from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { VenueEntry } from '../parseVenue.js'
import type { Rpc } from '../rpc.js'
import { findFluidPools } from './findFluidPools.js'
import { findHookedPools } from './findHookedPools.js'
import { findInfinityPools } from './findInfinityPools.js'
import type { Hint } from './Hint.js'
import { pairsOf } from './pairs.js'
import { type Read, readChain } from './readChain.js'
import { readLogs } from './readLogs.js'
import { addressIn } from './venueReads.js'

/** The pools of a registry: who holds their tokens, and which. */
type Holdings = {
  readonly holder: Address | undefined
  readonly tokens: readonly (readonly Address[])[]
}

const abi = parseAbi([
  'function getVault() view returns (address)',
  'function getPoolId() view returns (bytes32)',
])
const vaultV2 = parseAbi([
  'function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChange)',
])
const vaultV3 = parseAbi(['function getPoolTokens(address pool) view returns (address[] tokens)'])

/** Events with which registries that list no pools by pair announce them, by the venue's adapter. The first topic is the pool. */
const events: { readonly [adapter in NonNullable<VenueEntry['adapter']>]?: Hex } = {
  balancerV2: toEventSelector('PoolCreated(address)'),
  balancerV3: toEventSelector(
    'PoolRegistered(address,address,(address,uint8,address,bool)[],uint256,uint32,(address,address,address),(bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address),(bool,bool,bool,bool))',
  ),
}

/** Pools that have an id, by the venue's adapter. */
const finders: {
  readonly [adapter in NonNullable<VenueEntry['adapter']>]?: typeof findHookedPools
} = {
  uniswapV4Hooks: findHookedPools,
  infinityCl: findInfinityPools,
  fluidLite: findFluidPools,
}

/**
 * Pools that registries announced and do not list by pair, the newest first.
 *
 * @param head Number of the latest block to look at.
 * @param count Pools of each venue.
 */
export async function findHints(
  rpc: Rpc,
  config: ChainConfig,
  { count, head }: { count: number; head: number },
): Promise<readonly Hint[]> {
  const hints: Hint[] = []
  const block = numberToHex(head)
  for (const { adapter, factory } of config.venues) {
    const find = adapter && finders[adapter]
    const ofRegistry = { registry: factory, wrappedNative: config.wrappedNative }
    if (find) hints.push(...(await find(rpc, ofRegistry, { block, count, head })))
    const event = adapter && events[adapter]
    if (event === undefined) continue
    const logs = await readLogs(rpc, { address: factory, topics: [[event]] }, { count, head })
    const pools = logs
      .flatMap(({ topics }) => addressIn(topics[1]) ?? [])
      .map((pool) => getAddress(pool))
    const readHoldings = adapter === 'balancerV2' ? readHoldingsV2 : readHoldingsV3
    const { holder, tokens } = await readHoldings(rpc, { registry: factory, pools, block })
    for (const [index, pool] of pools.entries())
      if (holder)
        hints.push(...pairsOf(tokens[index] ?? []).map((pair) => ({ pair, pool, holder })))
  }
  return hints
}

type HoldingsOptions = {
  readonly registry: Address
  readonly pools: readonly Address[]
  readonly block: Hex
}

/** The registry is the Vault. */
async function readHoldingsV3(
  rpc: Rpc,
  { block, pools, registry: holder }: HoldingsOptions,
): Promise<Holdings> {
  const reads = pools.map((pool) => {
    const data = encodeFunctionData({ abi: vaultV3, functionName: 'getPoolTokens', args: [pool] })
    return { to: holder, data }
  })
  const answers = await readChain(rpc, reads, block)
  const tokens = answers.map((data) =>
    data === undefined
      ? []
      : decodeFunctionResult({ abi: vaultV3, functionName: 'getPoolTokens', data }),
  )
  return { holder, tokens }
}

/** The registry is a factory. The pool's own token is left out, which stable pools have among theirs. */
async function readHoldingsV2(
  rpc: Rpc,
  { block, pools, registry }: HoldingsOptions,
): Promise<Holdings> {
  const getPoolId = encodeFunctionData({ abi, functionName: 'getPoolId' })
  const getVault = encodeFunctionData({ abi, functionName: 'getVault' })
  const questions = [
    { to: registry, data: getVault },
    ...pools.map((to) => ({ to, data: getPoolId })),
  ]
  const [vault, ...ids] = await readChain(rpc, questions, block)
  const holder = addressIn(vault)
  if (holder === undefined) return { holder, tokens: [] }
  const reads = ids.map((id = pad('0x')): Read => {
    const data = encodeFunctionData({ abi: vaultV2, functionName: 'getPoolTokens', args: [id] })
    return { to: holder, data }
  })
  const answers = await readChain(rpc, reads, block)
  const tokens = answers.map((data, index) => {
    if (data === undefined) return []
    const [all] = decodeFunctionResult({ abi: vaultV2, functionName: 'getPoolTokens', data })
    return all.filter((token) => !isAddressEqual(token, pools[index]!))
  })
  return { holder, tokens }
}
