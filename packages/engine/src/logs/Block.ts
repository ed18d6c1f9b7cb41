import { type Hex, keccak256 } from 'viem'
import { LogsError } from './LogsError.js'

/** A block's number and hash; the hash reveals reorganizations. */
export type Cursor = { readonly number: number; readonly hash: Hex }

export type Block = Cursor & {
  readonly parentHash: Hex
  /** `undefined` if the header has no valid filter. */
  readonly bloom: Hex | undefined
}

const noBloom = `0x${'0'.repeat(512)}`

/**
 * Parses the result of `eth_getBlockByNumber`.
 *
 * @throws LogsError if it is not a valid header.
 */
export function parseBlock(value: unknown): Block {
  const { hash, logsBloom, number, parentHash } = (value ?? {}) as Record<string, unknown>
  if (!isHash(hash) || !isHash(parentHash) || !isSmallQuantity(number))
    throw new LogsError('inconsistent', 'The node returned a malformed block.')
  const hasBloom = typeof logsBloom === 'string' && /^0x[0-9a-f]{512}$/.test(logsBloom)
  const bloom = hasBloom ? (logsBloom as Hex) : undefined
  return { hash, parentHash, number: Number(number), bloom }
}

/**
 * Returns a test for bloom filters: whether the block may hold a log with one of the values. Each value sets three
 * bits, from the first three byte pairs of its hash (Yellow Paper, 4.3.1). False positives are possible, false
 * negatives are not.
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

/** Whether the filter is empty. Chains without bloom filters have empty ones even in blocks with logs. */
export function isEmptyBloom(bloom: Hex): boolean {
  return bloom === noBloom
}

export function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
}

/** A hex quantity that a `number` holds exactly. */
export function isSmallQuantity(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,12})$/.test(value)
}

export function hexOf(number: number): Hex {
  return `0x${number.toString(16)}`
}
