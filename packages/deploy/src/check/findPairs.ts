import { type Address, type Hex, numberToHex, toEventSelector, toFunctionSelector } from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { VenueEntry } from '../parseVenue.js'
import type { Rpc } from '../rpc.js'
import { findConversions } from './findConversions.js'
import type { Hint } from './Hint.js'
import { pairOf, pairsOf, type TokenPair } from './pairs.js'
import { readChain } from './readChain.js'
import { readLogs } from './readLogs.js'
import { addressIn, numberIn, readOfCount, readOfPlace } from './venueReads.js'

const token0 = toFunctionSelector('token0()')
const token1 = toFunctionSelector('token1()')

/** Events with which factories announce pools, and the topic of the first token; the second follows. */
const events: ReadonlyMap<Hex, number> = new Map([
  [toEventSelector('PairCreated(address,address,address,uint256)'), 1],
  [toEventSelector('PoolCreated(address,address,uint24,int24,address)'), 1],
  [toEventSelector('PoolCreated(address,address,int24,address)'), 1],
  [toEventSelector('PoolCreated(address,address,bool,address,uint256)'), 1],
  [toEventSelector('Pool(address,address,address)'), 1],
  [toEventSelector('LBPairCreated(address,address,uint256,address,uint256)'), 1],
  [toEventSelector('Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)'), 2],
])

/**
 * Pairs whose pools are worth asking for: of the connector tokens, of the listed pools, of converters, of vaults and their assets,
 * and for each venue those of some of its pools: the newest that its factory announced, and some that its factory counts.
 *
 * @param head Number of the latest block to look at.
 * @param count Pairs for each venue.
 * @param hints Pools that are proposed.
 */
export async function findPairs(
  rpc: Rpc,
  config: ChainConfig,
  { count, head, hints }: { count: number; head: number; hints: readonly Hint[] },
): Promise<readonly TokenPair[]> {
  const pairs = [
    ...pairsOf(config.connectorTokens),
    ...config.pools.flatMap(({ tokens }) => pairsOf(tokens)),
    ...hints.map(({ pair }) => pair),
  ]
  const block = numberToHex(head)
  for (const venue of config.venues) {
    pairs.push(...(await announced(rpc, venue, { count, head })))
    pairs.push(...(await counted(rpc, venue, { count, block })))
  }
  const known = await findConversions(rpc, config, { block, tokens: [...new Set(pairs.flat())] })
  const plain = [...pairs, ...known].map((pair) => withWrapped(pair, config.wrappedNative))
  const all = new Map(plain.map((pair) => [pair.join().toLowerCase(), pair]))
  return [...all.values()].filter(([a, b]) => a.toLowerCase() !== b.toLowerCase())
}

/** Pools of the native currency trade as pools of the wrapped token. */
function withWrapped([a, b]: TokenPair, wrapped: Address): TokenPair {
  return pairOf(/^0x0+$/.test(a) ? wrapped : a, b)
}

/** Newest pairs first, from the logs of the factory. None if the node answers no query. */
async function announced(
  rpc: Rpc,
  { factory }: VenueEntry,
  options: { count: number; head: number },
): Promise<readonly TokenPair[]> {
  const filter = { address: factory, topics: [[...events.keys()]] }
  const logs = await readLogs(rpc, filter, options)
  const pairs = logs.flatMap(({ topics }): TokenPair[] => {
    const at = events.get(topics[0]!)!
    const [a, b] = [topics[at], topics[at + 1]]
    return a && b ? [pairOf(`0x${a.slice(-40)}`, `0x${b.slice(-40)}`)] : []
  })
  return pairs.slice(0, options.count)
}

/** Pairs of the pools that a factory counts, spread over all of them. */
async function counted(
  rpc: Rpc,
  venue: VenueEntry,
  { block, count }: { block: Hex; count: number },
): Promise<readonly TokenPair[]> {
  const read = readOfCount(venue)
  if (read === undefined) return []
  const total = numberIn((await readChain(rpc, [read], block))[0]) ?? 0n
  const wanted = BigInt(count) < total ? BigInt(count) : total
  const places = Array.from({ length: Number(wanted) }, (_, index) =>
    readOfPlace(venue, (BigInt(index) * total) / wanted),
  )
  const pools = (await readChain(rpc, places, block)).flatMap((answer) => addressIn(answer) ?? [])
  const reads = pools.flatMap((to) => [token0, token1].map((data) => ({ to, data })))
  const answers = await readChain(rpc, reads, block)
  return pools.flatMap((_, index): TokenPair[] => {
    const [a, b] = [addressIn(answers[2 * index]), addressIn(answers[2 * index + 1])]
    return a && b ? [pairOf(a, b)] : []
  })
}
