import { uniswapV4HooksAdapterAbi } from '@sluice/abi'
import { VenueKind } from '@sluice/domain'
import {
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { readChain } from '../check/readChain.js'
import { numberIn } from '../check/venueReads.js'
import * as PoolKey from '../PoolKey.js'
import type { Rpc } from '../rpc.js'
import type { HooksAdapter } from './findAdapter.js'

/** What the chain knows of a pool. */
export type Known = {
  /** Whether the PoolManager has the pool. */
  readonly exists: boolean
  /** Whether the adapter can trade on it. */
  readonly isTradable: boolean
  /** As the PositionManager knows it, if it ever held a position in the pool. */
  readonly positionKey: PoolKey.PoolKey | undefined
}

const managersAbi = parseAbi([
  'function extsload(bytes32 slot) view returns (bytes32)',
  'function poolKeys(bytes25 id) view returns (address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)',
])
const adapterKind = VenueKind.numberOf('adapter')
/** The slot of the PoolManager's mapping of pools. */
const poolsSlot = numberToHex(6n, { size: 32 })
const priceMask = (1n << 160n) - 1n
/** The adapter's key of a pool is the first 25 bytes of its id, above a byte of zeros. */
const [idShift, keyShift] = [56n, 8n]
const readsOfPool = 3

/** Reads what the adapter, the PoolManager and the PositionManager know of pools. */
export async function readKnown(
  rpc: Rpc,
  adapter: HooksAdapter,
  pools: readonly Hex[],
): Promise<readonly Known[]> {
  const reads = pools.flatMap((pool) => readsOf(adapter, pool))
  const answers = await readChain(rpc, reads, 'latest')
  return pools.map((pool, index) => {
    const [state, price, position] = answers.slice(index * readsOfPool)
    return {
      exists: ((numberIn(price) ?? 0n) & priceMask) !== 0n,
      isTradable: state !== undefined && stateIn(state).length > 0,
      positionKey: positionIn(position, pool),
    }
  })
}

function readsOf({ address, manager, registry }: HooksAdapter, pool: Hex) {
  const key = (BigInt(pool) >> idShift) << keyShift
  const args = [adapterKind, zeroAddress, zeroAddress, key] as const
  const state = { abi: uniswapV4HooksAdapterAbi, functionName: 'read', args } as const
  const slot = keccak256(concatHex([pool, poolsSlot]))
  const price = { abi: managersAbi, functionName: 'extsload', args: [slot] } as const
  const start = pool.slice(0, 2 + 2 * 25) as Hex
  const position = { abi: managersAbi, functionName: 'poolKeys', args: [start] } as const
  return [
    { to: address, data: encodeFunctionData(state) },
    { to: manager, data: encodeFunctionData(price) },
    { to: registry, data: encodeFunctionData(position) },
  ]
}

function stateIn(data: Hex): readonly bigint[] {
  return decodeFunctionResult({ abi: uniswapV4HooksAdapterAbi, functionName: 'read', data })
}

function positionIn(data: Hex | undefined, pool: Hex): PoolKey.PoolKey | undefined {
  if (data === undefined) return undefined
  const words = decodeFunctionResult({ abi: managersAbi, functionName: 'poolKeys', data })
  const [currency0, currency1, fee, tickSpacing, hooks] = words
  const key = { currency0, currency1, fee, tickSpacing, hooks }
  return PoolKey.idOf(key) === pool ? key : undefined
}
