import { type Address, type Hex, numberToHex } from 'viem'
import type { Rpc } from '../rpc.js'
import { askEach } from './readChain.js'

/** Blocks of one query for logs: many nodes allow no more. */
const windowBlocks = 5_000
/** Queries for logs of one contract. */
const maxWindows = 4

/** What a log says. */
export type Log = { readonly topics: readonly Hex[]; readonly data: Hex }

/** Logs of a contract in the last 20,000 blocks, the newest first, at least `count` if there are. None if the node answers no query. */
export async function readLogs(
  rpc: Rpc,
  filter: { address: Address; topics: readonly (readonly Hex[])[] },
  { count, head }: { count: number; head: number },
): Promise<readonly Log[]> {
  const found: Log[] = []
  for (let window = 0; window < maxWindows && found.length < count; window++) {
    const toBlock = head - window * windowBlocks
    if (toBlock < 0) break
    const fromBlock = Math.max(0, toBlock - windowBlocks + 1)
    const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
    const [logs] = await askEach<Log[]>(rpc, [['eth_getLogs', [{ ...filter, ...range }]]])
    if (logs === undefined) break
    found.push(...logs.toReversed())
  }
  return found
}
