import { type Address, type Hex, toEventSelector } from 'viem'
import type { Log } from '../logs/Log.js'

/** How the tokens of a pool are read that a registry announces and does not list by pair. */
export const hintedShapes = ['balancerV2', 'balancerV3'] as const
export type HintedShape = (typeof hintedShapes)[number]

/** A pool of any number of tokens, as announced by its registry; addresses in lower case. */
export type HintedPool = {
  readonly pool: Address
  /** The contract that emitted the event: a factory of Balancer V2, or the Vault of V3. */
  readonly registry: Address
  readonly shape: HintedShape
  readonly blockNumber: number
}

/**
 * The events. The pool is the first indexed argument. Balancer V2's Vault announces pools of any code, so that its
 * factories' own event is used.
 */
const topics: Readonly<Record<HintedShape, Hex>> = {
  balancerV2: toEventSelector('PoolCreated(address)'),
  balancerV3: toEventSelector(
    'PoolRegistered(address,address,(address,uint8,address,bool)[],uint256,uint32,(address,address,address),(bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address),(bool,bool,bool,bool))',
  ),
}

/** First topics of all these events. */
export const hintedTopics: readonly Hex[] = Object.values(topics)

/** Returns the pool that a log announces; `undefined` for other or malformed logs. */
export function hintedPoolOf({ address, blockNumber, topics: given }: Log): HintedPool | undefined {
  const shape = hintedShapes.find((each) => topics[each] === given[0])
  const [, word = '0x'] = given
  if (shape === undefined || !/^0x0{24}[0-9a-f]{40}$/.test(word)) return undefined
  return { pool: `0x${word.slice(-40)}`, registry: address, shape, blockNumber }
}
