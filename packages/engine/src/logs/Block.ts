import { type Hex, keccak256 } from 'viem'
import { LogsError } from './LogsError.js'

/** A block by number and hash, so that a reorganisation shows. */
export type Cursor = { readonly number: number; readonly hash: Hex }

export type Block = Cursor & {
  readonly parentHash: Hex
  /** Undefined if the chain keeps none. */
  readonly bloom: Hex | undefined
}

const noBloom = `0x${'0'.repeat(512)}`

/**
 * Reads what `eth_getBlockByNumber` returns.
 *
 * @throws LogsError if it is no header.
 */
export function parseBlock(value: unknown): Block {
  const { hash, logsBloom, number, parentHash } = (value ?? {}) as Record<string, unknown>
  if (!isHash(hash) || !isHash(parentHash) || !isSmallQuantity(number))
    throw new LogsError('inconsistent', 'The node gave something that is no block.')
  const hasBloom = typeof logsBloom === 'string' && /^0x[0-9a-f]{512}$/.test(logsBloom)
  const bloom = hasBloom ? (logsBloom as Hex) : undefined
  return { hash, parentHash, number: Number(number), bloom }
}

/**
 * Tells of a bloom filter whether its block may hold a log with one of the values: three bits for each, out of the first
 * three pairs of bytes of its hash (Yellow Paper, 4.3.1). Wrong answers are only ever "yes".
 */
export function mayHoldOneOf(values: readonly Hex[]): (bloom: Hex) => boolean {
  const bitsOf = values.map((value) => {
    const digest = keccak256(value)
    return [2, 6, 10].map((start) => Number.parseInt(digest.slice(start, start + 4), 16) & 2047)
  })
  const hasBit = (bloom: Hex, bit: number) => {
    const digit = Number.parseInt(bloom[bloom.length - 1 - (bit >> 2)]!, 16)
    return (digit & (1 << (bit & 3))) !== 0
  }
  return (bloom) => bitsOf.some((bits) => bits.every((bit) => hasBit(bloom, bit)))
}

/** A chain that keeps no bloom filters has empty ones in all blocks, those with logs included. */
export function isEmptyBloom(bloom: Hex): boolean {
  return bloom === noBloom
}

export function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
}

/** A quantity that a `number` holds exactly. */
export function isSmallQuantity(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,12})$/.test(value)
}

export function hexOf(number: number): Hex {
  return `0x${number.toString(16)}`
}
