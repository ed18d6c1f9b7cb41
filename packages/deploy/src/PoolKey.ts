import {
  type Address,
  decodeEventLog,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
} from 'viem'

/** Names a pool of Uniswap V4. Address zero is the native currency, or a pool without hooks. */
export type PoolKey = {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

const abi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const parameters = parseAbiParameters([
  'PoolKey key',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
])

/** First topic of the event with which the PoolManager announces a new pool. The second one is the pool's id. */
export const initialized = toEventSelector(abi[0])

/** Id of a pool. */
export function idOf(key: PoolKey): Hex {
  return keccak256(encodeAbiParameters(parameters, [key]))
}

/** The pool that an event announces; `undefined` if the event is malformed, or if its id is not that of its key. */
export function inLog({
  data,
  topics,
}: {
  readonly data: Hex
  readonly topics: readonly Hex[]
}): { readonly id: Hex; readonly key: PoolKey } | undefined {
  try {
    const event = { abi, data, topics: topics as [Hex, ...Hex[]] }
    const { id, currency0, currency1, fee, tickSpacing, hooks } = decodeEventLog(event).args
    const key = { currency0, currency1, fee, tickSpacing, hooks }
    return idOf(key) === id ? { id, key } : undefined
  } catch {
    return undefined
  }
}
