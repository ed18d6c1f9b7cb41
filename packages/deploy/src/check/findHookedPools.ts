import {
  type Address,
  getAddress,
  type Hex,
  isAddressEqual,
  toEventSelector,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import type { Rpc } from '../rpc.js'
import type { Hint } from './Hint.js'
import { pairOf } from './pairs.js'
import { readChain } from './readChain.js'
import { readLogs } from './readLogs.js'
import { addressIn } from './venueReads.js'

const poolManager = toFunctionSelector('poolManager()')
const initialized = toEventSelector(
  'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
)
/** Of the words of the event's data: fee, tick spacing, hooks. */
const hooksAt = 2

/** Pools with hooks that the PoolManager of a PositionManager announced lately, the newest first. */
export async function findHookedPools(
  rpc: Rpc,
  { registry, wrappedNative }: { registry: Address; wrappedNative: Address },
  { block, count, head }: { block: Hex; count: number; head: number },
): Promise<readonly Hint[]> {
  const [answer] = await readChain(rpc, [{ to: registry, data: poolManager }], block)
  const holder = addressIn(answer)
  if (holder === undefined) return []
  const filter = { address: holder, topics: [[initialized]] }
  const logs = await readLogs(rpc, filter, { count, head })
  return logs.flatMap(({ data, topics: [, pool, topic0, topic1] }) => {
    const hooks = `0x${data.slice(2 + 64 * hooksAt, 2 + 64 * (hooksAt + 1)).slice(24)}` as const
    const [currency0, currency1] = [topic0, topic1].map(currencyIn)
    if (!pool || !currency0 || !currency1 || isAddressEqual(hooks, zeroAddress)) return []
    const token0 = isAddressEqual(currency0, zeroAddress) ? wrappedNative : currency0
    return [{ pair: pairOf(token0, currency1), pool, holder }]
  })
}

function currencyIn(topic: Hex | undefined): Address | undefined {
  return topic && getAddress(`0x${topic.slice(26)}`)
}
