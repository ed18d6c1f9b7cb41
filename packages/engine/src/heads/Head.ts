import type { Plan } from '@sluice/domain'
import type { Hex } from 'viem'

/** A block as far as a quote must know it. `timestamp` is in unix seconds. */
export type Block = {
  readonly number: bigint
  readonly parentHash: Hex
  readonly timestamp: bigint
  /** Unknown if a witness tells of a block that is newer than the last header read. */
  readonly hash: Hex | undefined
}

/** A block whose header was read from a node. */
export type Head = Block & { readonly hash: Hex }

/** Reads what `eth_getBlockByNumber` returns; `undefined` if it is no header. */
export function parseHead(value: unknown): Head | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const header = value as Record<string, unknown>
  const { hash, number, parentHash, timestamp } = header
  if (!isHash(hash) || !isHash(parentHash)) return undefined
  if (!isQuantity(number) || !isQuantity(timestamp)) return undefined
  return { hash, parentHash, number: BigInt(number), timestamp: BigInt(timestamp) }
}

/** Whether a witness speaks of this very block. */
export function isSameBlock(block: Block, witness: Plan.Witness): boolean {
  return (
    witness.blockNumber === block.number &&
    witness.timestamp === block.timestamp &&
    witness.parentHash === block.parentHash
  )
}

/**
 * The block that a witness proves, given the header that came in the same answer: that block, or its child, since a
 * block may arrive between the two reads. `undefined` if it is neither.
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
