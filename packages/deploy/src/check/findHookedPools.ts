import { type Address, type Hex, isAddressEqual, toFunctionSelector, zeroAddress } from 'viem'
import * as PoolKey from '../PoolKey.js'
import type { Rpc } from '../rpc.js'
import type { Hint } from './Hint.js'
import { pairOf } from './pairs.js'
import { readChain } from './readChain.js'
import { readLogs } from './readLogs.js'
import { addressIn } from './venueReads.js'

const poolManager = toFunctionSelector('poolManager()')

/** Pools with hooks that the PoolManager of a PositionManager announced lately, the newest first. */
export async function findHookedPools(
  rpc: Rpc,
  { registry, wrappedNative }: { registry: Address; wrappedNative: Address },
  { block, count, head }: { block: Hex; count: number; head: number },
): Promise<readonly Hint[]> {
  const [answer] = await readChain(rpc, [{ to: registry, data: poolManager }], block)
  const holder = addressIn(answer)
  if (holder === undefined) return []
  const filter = { address: holder, topics: [[PoolKey.initialized]] }
  const logs = await readLogs(rpc, filter, { count, head })
  return logs.flatMap((log) => {
    const found = PoolKey.inLog(log)
    if (found === undefined || isAddressEqual(found.key.hooks, zeroAddress)) return []
    const { currency0, currency1 } = found.key
    const token0 = isAddressEqual(currency0, zeroAddress) ? wrappedNative : currency0
    return [{ pair: pairOf(token0, currency1), pool: found.id, holder }]
  })
}
