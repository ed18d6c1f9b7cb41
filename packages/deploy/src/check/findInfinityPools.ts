import { type Address, getAddress, type Hex, toEventSelector, toFunctionSelector } from 'viem'
import type { Rpc } from '../rpc.js'
import type { Hint } from './Hint.js'
import { pairOf } from './pairs.js'
import { readChain } from './readChain.js'
import { readLogs } from './readLogs.js'
import { addressIn, numberIn } from './venueReads.js'

const clPoolManager = toFunctionSelector('clPoolManager()')
const vault = toFunctionSelector('vault()')
const initialized = toEventSelector(
  'Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)',
)
/** Of the words of the event's data: hooks, fee, parameters. The lowest bits of the parameters are the calls that the hooks want. */
const parametersAt = 2
/** Calls around swaps, and the right to change what they pay. */
const swapHooks = (1n << 6n) | (1n << 7n) | (1n << 10n) | (1n << 11n)

/** Pools of PancakeSwap Infinity, without hooks in swaps, that the CLPoolManager of a CLPositionManager announced lately, the newest first. */
export async function findInfinityPools(
  rpc: Rpc,
  { registry, wrappedNative }: { registry: Address; wrappedNative: Address },
  { block, count, head }: { block: Hex; count: number; head: number },
): Promise<readonly Hint[]> {
  const [manager] = await readChain(rpc, [{ to: registry, data: clPoolManager }], block)
  const address = addressIn(manager)
  if (address === undefined) return []
  const [answer] = await readChain(rpc, [{ to: address, data: vault }], block)
  const holder = addressIn(answer)
  if (holder === undefined) return []
  const logs = await readLogs(rpc, { address, topics: [[initialized]] }, { count, head })
  return logs.flatMap(({ data, topics: [, pool, topic0, topic1] }) => {
    const parameters = numberIn(data, parametersAt)
    if (!pool || !topic0 || !topic1 || parameters === undefined) return []
    if ((parameters & swapHooks) !== 0n) return []
    // The native currency is the zero address.
    const token0 = addressIn(topic0) ?? wrappedNative
    return [{ pair: pairOf(getAddress(token0), getAddress(`0x${topic1.slice(26)}`)), pool, holder }]
  })
}
