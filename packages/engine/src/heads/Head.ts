import type { Plan } from '@sluice/domain'
import type { Hex } from 'viem'

/** The fields of a block that a quote needs. `timestamp` is in unix seconds. */
export type Block = {
  readonly number: bigint
  readonly parentHash: Hex
  readonly timestamp: bigint
  /** `undefined` if the block is known only from a witness that is newer than the last header read. */
  readonly hash: Hex | undefined
}

/** A block whose header was read from a node. */
export type Head = Block & { readonly hash: Hex }

/** Parses the result of `eth_getBlockByNumber`; returns `undefined` if it is not a valid header. */
export function parseHead(value: unknown): Head | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const header = value as Record<string, unknown>
  const { hash, number, parentHash, timestamp } = header
  if (!isHash(hash) || !isHash(parentHash)) return undefined
  if (!isQuantity(number) || !isQuantity(timestamp)) return undefined
  return { hash, parentHash, number: BigInt(number), timestamp: BigInt(timestamp) }
}

/** Returns whether a witness describes this block. */
export function isSameBlock(block: Block, witness: Plan.Witness): boolean {
  return (
    witness.blockNumber === block.number &&
    witness.timestamp === block.timestamp &&
    witness.parentHash === block.parentHash
  )
}

/**
 * Returns the block that a witness proves, given the header from the same response: that block or its child, since a
 * block may arrive between the two reads. Returns `undefined` if it is neither.
 */
export function provenBlock(head: Head, witness: Plan.Witness): Block | undefined {
  if (isSameBlock(head, witness)) return head
  const isChild = witness.blockNumber === head.number + 1n && witness.parentHash === head.hash
  if (!isChild || witness.timestamp < head.timestamp) return undefined
  const { blockNumber, parentHash, timestamp } = witness
  return { number: blockNumber, parentHash, timestamp, hash: undefined }
}

function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
}

function isQuantity(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/.test(value)
}
