import { Events } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import type { Log } from '../logs/Log.js'
import { LogsError } from '../logs/LogsError.js'

export type SwapEventName = keyof typeof Events.all

/** What a Router announced; addresses in lower case. */
export type SwapEvent = {
  readonly name: SwapEventName
  readonly router: Address
  readonly blockNumber: number
  readonly logIndex: number
  readonly transactionHash: Hex
  readonly trader: Address | null
  readonly tokenIn: Address | null
  /** For `Fee` and `Surplus` the token that it is of. */
  readonly tokenOut: Address | null
  /** The numbers, as 32-byte words in the order of the declaration. */
  readonly data: Hex
}

type Shape = {
  readonly indexed: readonly ('trader' | 'tokenIn' | 'tokenOut')[]
  /** Of the data. */
  readonly words: number
}

const shapes: Readonly<Record<SwapEventName, Shape>> = {
  Swap: { indexed: ['trader', 'tokenIn', 'tokenOut'], words: 3 },
  ExecutionProof: { indexed: ['trader', 'tokenOut'], words: 4 },
  Fee: { indexed: ['tokenOut'], words: 3 },
  Surplus: { indexed: ['tokenOut'], words: 1 },
}

/** Topics to ask a node for. */
export const swapTopics: readonly Hex[] = Object.values(Events.all).map(({ topic0 }) => topic0)

const namesByTopic: ReadonlyMap<Hex, SwapEventName> = new Map(
  Object.entries(Events.all).map(([name, { topic0 }]) => [topic0, name as SwapEventName]),
)

/**
 * Reads a log of a Router.
 *
 * @throws LogsError `inconsistent` if no Router writes it like that.
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
    throw new LogsError('inconsistent', 'The node gave a log that no Router writes.')
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
