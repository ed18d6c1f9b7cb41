import { getAddress, type Hex, slice, toEventSelector } from 'viem'
import type { ChainLog } from './Block.js'

/**
 * How a swap's log names its pool: `emitter` is the address that emitted it, `id` and `address` stand in the topic after the
 * signature, and `prefix` is the first bytes of the id there.
 */
type Naming = 'emitter' | 'id' | 'address' | 'prefix'

/** Events with which pools of known venues announce swaps. */
const events: ReadonlyMap<Hex, Naming> = new Map(
  (
    [
      // Uniswap V2 and its forks; Solidly's.
      ['Swap(address,uint256,uint256,uint256,uint256,address)', 'emitter'],
      ['Swap(address,address,uint256,uint256,uint256,uint256)', 'emitter'],
      // Uniswap V3, Slipstream and Algebra's first versions; PancakeSwap V3; Algebra Integral.
      ['Swap(address,address,int256,int256,uint160,uint128,int24)', 'emitter'],
      ['Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)', 'emitter'],
      ['Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)', 'emitter'],
      // Uniswap V4.
      ['Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)', 'id'],
      // Curve's plain pools, crypto pools, and those of the newer factories.
      ['TokenExchange(address,int128,uint256,int128,uint256)', 'emitter'],
      ['TokenExchangeUnderlying(address,int128,uint256,int128,uint256)', 'emitter'],
      ['TokenExchange(address,uint256,uint256,uint256,uint256)', 'emitter'],
      ['TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)', 'emitter'],
      // Balancer V2 and V3.
      ['Swap(bytes32,address,address,uint256,uint256)', 'prefix'],
      ['Swap(address,address,address,uint256,uint256,uint256,uint256)', 'address'],
      // Liquidity Book and PancakeSwap Infinity.
      ['Swap(address,address,uint24,bytes32,bytes32,uint24,bytes32,bytes32)', 'emitter'],
      ['Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)', 'id'],
      // Venues that Sluice does not have: DODO, Maverick V2, Fluid's larger pools, WOOFi.
      ['DODOSwap(address,address,uint256,uint256,address,address)', 'emitter'],
      ['PoolSwap(address,address,(uint256,bool,bool,int32),uint256,uint256)', 'emitter'],
      ['Swap(bool,uint256,uint256,address)', 'emitter'],
      [
        'WooSwap(address,address,uint256,uint256,address,address,address,uint256,uint256)',
        'emitter',
      ],
    ] as const
  ).map(([signature, naming]) => [toEventSelector(signature), naming]),
)

/** A pool on which a transaction swapped. */
export type Source = {
  /** Its address, or its id if one contract holds all pools. */
  readonly pool: Hex
  /** Contract that announced the swap. */
  readonly emitter: Hex
  /** One contract holds the tokens of all pools, and finds them by this name. */
  readonly isShared: boolean
}

/** The pool of a log of a swap; `undefined` for other logs. */
export function sourceOf({ address: emitter, topics }: ChainLog): Source | undefined {
  const [event, first] = topics
  const naming = event && events.get(event)
  if (naming === undefined) return undefined
  if (naming === 'emitter') return { pool: emitter, emitter, isShared: false }
  if (first === undefined) return undefined
  return { pool: poolIn(first, naming), emitter, isShared: true }
}

function poolIn(topic: Hex, naming: Exclude<Naming, 'emitter'>): Hex {
  if (naming === 'id') return topic.toLowerCase() as Hex
  return getAddress(naming === 'prefix' ? slice(topic, 0, 20) : slice(topic, 12))
}

/** Whether a log may be of a change of a pool: its contract or, if that holds many, its id wrote it. */
export function touches(
  { address, topics }: ChainLog,
  { emitter, isShared, pool }: Source,
): boolean {
  if (address !== emitter) return false
  return !isShared || (topics[1]?.toLowerCase() ?? '').includes(pool.slice(2).toLowerCase())
}
