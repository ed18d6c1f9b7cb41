import { Events } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import type { Log } from '../logs/Log.js'
import { LogsError } from '../logs/LogsError.js'

/** An event that the index counts. What an integrator got belongs to a swap that is counted already. */
export type SwapEventName = Events.Counted

/** An event of a Router; addresses in lower case. */
export type SwapEvent = {
  readonly name: SwapEventName
  readonly router: Address
  readonly blockNumber: number
  readonly logIndex: number
  readonly transactionHash: Hex
  readonly trader: Address | null
  readonly tokenIn: Address | null
  /** For `Fee` and `Surplus`, the token of the amount. */
  readonly tokenOut: Address | null
  /** The event's numbers, as 32-byte words in the order of the declaration. */
  readonly data: Hex
}

type Shape = {
  readonly indexed: readonly ('trader' | 'tokenIn' | 'tokenOut')[]
  /** Number of 32-byte words in the data. */
  readonly words: number
}

const shapes: Readonly<Record<SwapEventName, Shape>> = {
  Swap: { indexed: ['trader', 'tokenIn', 'tokenOut'], words: 3 },
  ExecutionProof: { indexed: ['trader', 'tokenOut'], words: 4 },
  Fee: { indexed: ['tokenOut'], words: 3 },
  Surplus: { indexed: ['tokenOut'], words: 1 },
}

function topicOf(name: string): Hex {
  return Events.all[name as SwapEventName].topic0
}

/** First topics of all these events. */
export const swapTopics: readonly Hex[] = Object.keys(shapes).map(topicOf)

const namesByTopic: ReadonlyMap<Hex, SwapEventName> = new Map(
  Object.keys(shapes).map((name) => [topicOf(name), name as SwapEventName]),
)

/**
 * Decodes a log of a Router.
 *
 * @throws LogsError `inconsistent` if the log has another format than a Router's events.
 */
export function swapEventOf(log: Log): SwapEvent {
  const { address, blockNumber, data, logIndex, topics, transactionHash } = log
  const name = namesByTopic.get(topics[0]!)
  const shape = name && shapes[name]
  const indexed = topics.slice(1)
  if (
    name === undefined ||
    shape === undefined ||
    indexed.length !== shape.indexed.length ||
    data.length !== 2 + 64 * shape.words ||
    !indexed.every(isAddressWord)
  )
    throw new LogsError('inconsistent', 'The node returned a log that is not a Router event.')
  const parts = { trader: null, tokenIn: null, tokenOut: null } as Record<
    Shape['indexed'][number],
    Address | null
  >
  for (const [index, part] of shape.indexed.entries())
    parts[part] = `0x${indexed[index]!.slice(-40)}`
  return { name, router: address, blockNumber, logIndex, transactionHash, data, ...parts }
}

function isAddressWord(word: Hex): boolean {
  return word.startsWith('0x000000000000000000000000')
}
