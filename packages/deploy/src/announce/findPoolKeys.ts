import { type Address, type Hex, numberToHex } from 'viem'
import type { Log } from '../check/readLogs.js'
import { DeployError, RpcError, RpcUnreachableError } from '../errors.js'
import * as PoolKey from '../PoolKey.js'
import type { Rpc } from '../rpc.js'

/** Both ends are included. */
type Blocks = { readonly start: number; readonly end: number }

/** Blocks of one query for logs, from the widest on: nodes differ in what they allow. */
const widths = [Number.POSITIVE_INFINITY, 100_000, 10_000, 2_000, 500, 10]
/** Queries that a node answers before the search ends. */
const maxQueries = 500

/**
 * Finds the keys of pools in the events with which the PoolManager announced them.
 *
 * Looks at the newest blocks first, as pools to announce are mostly new; with `fromBlock`, at that block first.
 *
 * @param options.pools Ids, in lower case.
 * @throws DeployError `NO_LOGS` or `NO_BLOCK`
 */
export async function findPoolKeys(
  rpc: Rpc,
  {
    fromBlock,
    manager,
    onProgress,
    pools,
  }: {
    manager: Address
    pools: readonly Hex[]
    fromBlock?: number | undefined
    onProgress?: ((text: string) => void) | undefined
  },
): Promise<ReadonlyMap<Hex, PoolKey.PoolKey>> {
  const found = new Map<Hex, PoolKey.PoolKey>()
  if (pools.length === 0) return found
  const head = Number(await rpc.request<Hex>('eth_blockNumber'))
  if (fromBlock !== undefined && fromBlock > head)
    throw new DeployError('NO_BLOCK', `Block ${fromBlock} is after the node's latest, ${head}.`)
  onProgress?.(`Searching the logs for the creation of ${pools.join(', ')}`)
  const filter = { address: manager, topics: [[PoolKey.initialized], pools] }
  let rest = { start: fromBlock ?? 0, end: head }
  let width = widths[0]!
  for (let queries = 0; rest.start <= rest.end && queries < maxQueries; ) {
    const part = partOf(rest, width, fromBlock !== undefined)
    const answer = await ask(rpc, { ...filter, ...rangeOf(part) })
    if (answer instanceof Error) {
      const narrower = widths.find((each) => each < part.end - part.start + 1)
      if (narrower === undefined) throw refused(answer, part)
      width = narrower
      onProgress?.(`Searching ${width} blocks at a time`)
      continue
    }
    queries++
    for (const { id, key } of answer.flatMap((log) => PoolKey.inLog(log) ?? []))
      if (pools.includes(id)) found.set(id, key)
    if (pools.every((pool) => found.has(pool))) return found
    rest =
      fromBlock === undefined ? { ...rest, end: part.start - 1 } : { ...rest, start: part.end + 1 }
  }
  const missing = pools.find((pool) => !found.has(pool))!
  if (fromBlock === undefined) throw notFound(missing, { start: rest.end + 1, end: head })
  throw notFound(missing, { start: fromBlock, end: rest.start - 1 })
}

/** The blocks of the next query: the first ones or the last ones of those that are left. */
function partOf({ end, start }: Blocks, width: number, isUpward: boolean): Blocks {
  return isUpward
    ? { start, end: Math.min(end, start + width - 1) }
    : { start: Math.max(start, end - width + 1), end }
}

/** Returns the node's refusal, because a narrower query may do. No answer is one too: a wide query may take too long. */
async function ask(
  rpc: Rpc,
  filter: object,
): Promise<readonly Log[] | RpcError | RpcUnreachableError> {
  try {
    const logs = await rpc.request<Log[]>('eth_getLogs', [filter])
    return Array.isArray(logs) ? logs : new RpcUnreachableError('eth_getLogs')
  } catch (error) {
    if (error instanceof RpcError || error instanceof RpcUnreachableError) return error
    throw error
  }
}

function rangeOf({ end, start }: Blocks) {
  return { fromBlock: numberToHex(start), toBlock: numberToHex(end) }
}

function refused({ message }: Error, { end, start }: Blocks): DeployError {
  return new DeployError(
    'NO_LOGS',
    `The node does not give the logs of blocks ${start} to ${end}: ${message} Ask a node that does, or pass --from-block with the block in which the pool was created.`,
  )
}

function notFound(pool: Hex, { end, start }: Blocks): DeployError {
  return new DeployError(
    'NO_LOGS',
    `The node's logs of blocks ${start} to ${end} do not contain the creation of pool ${pool}. Pass --from-block with the block in which it was created, or ask a node that gives the logs of more blocks.`,
  )
}
