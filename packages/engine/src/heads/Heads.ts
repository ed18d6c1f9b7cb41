import type { Hex } from 'viem'
import type { Head } from './Head.js'

/** What one node reported. */
type Seen = {
  head: Head
  askedAt: number
  /** Hashes by block number, for the headers that link up to the node's latest one. */
  readonly hashes: Map<bigint, Hex>
}

/** The block to quote on. */
export type Best = {
  readonly head: Head
  /**
   * When this head was last known to be the latest: the time of the last request that returned it as the latest, or of
   * the second node that confirms it, whichever is earlier (monotonic milliseconds).
   */
  readonly askedAt: number
  /** Number of nodes that know it. */
  readonly supporters: number
  /** Blocks by which the highest of these nodes is beyond it. */
  readonly lead: bigint
  /** Another node contradicts it, and no second node knows it. */
  readonly isContested: boolean
}

/** The heads that a chain's nodes report, by node label. */
export type Heads = {
  note: (label: string, head: Head, askedAt: number) => void
  /**
   * Drops what the node said, unless a later request has replaced it: it did not answer, or gave an answer that cannot
   * be trusted.
   */
  forget: (label: string, askedAt: number) => void
  /** Whether the node answered the last time it was asked. */
  has: (label: string) => boolean
  /** The node's last head, unless it was dropped. */
  of: (label: string) => Head | undefined
  /**
   * Returns the highest head that two nodes know, or the only one.
   *
   * If no head is shared by two nodes, returns the second highest, so that one node that runs ahead cannot decide. If
   * there are only two nodes and they are far apart, returns the higher one: nodes fall behind far more often than they
   * invent blocks.
   *
   * @param since Ignores what nodes said to earlier requests (monotonic milliseconds).
   */
  best: (since?: number) => Best | undefined
}

const maxHashes = 64
/** Number of blocks by which honest nodes can differ while a block spreads. */
export const farApart = 3n

export function createHeads(): Heads {
  const nodes = new Map<string, Seen>()
  return {
    note(label, head, askedAt) {
      const seen = nodes.get(label)
      if (seen !== undefined && askedAt < seen.askedAt) return
      nodes.set(label, { head, askedAt, hashes: addHead(seen?.hashes, head) })
    },
    forget(label, askedAt) {
      const seen = nodes.get(label)
      if (seen !== undefined && seen.askedAt <= askedAt) nodes.delete(label)
    },
    has: (label) => nodes.has(label),
    of: (label) => nodes.get(label)?.head,
    best(since = Number.NEGATIVE_INFINITY) {
      const seen = [...nodes.values()]
        .filter(({ askedAt }) => askedAt >= since)
        .sort((a, b) => Number(b.head.number - a.head.number))
      if (seen.length < 2)
        return seen[0] && { ...seen[0], supporters: 1, lead: 0n, isContested: false }
      return highestShared(seen) ?? lesserEvil(seen)
    },
  }
}

/**
 * Adds a header to what a node knows. Drops the earlier headers if the new one does not link to them: they may be from
 * an abandoned branch.
 */
function addHead(known: Map<bigint, Hex> | undefined, head: Head): Map<bigint, Hex> {
  const { hash, number, parentHash } = head
  const isLinked = known?.get(number - 1n) === parentHash
  const hashes = new Map(isLinked ? known : [])
  for (const later of hashes.keys()) if (later > number) hashes.delete(later)
  hashes.set(number - 1n, parentHash).set(number, hash)
  while (hashes.size > maxHashes) hashes.delete(hashes.keys().next().value!)
  return hashes
}

/** @param seen Sorted by height, highest first. */
function highestShared(seen: readonly Seen[]): Best | undefined {
  for (const { head } of seen) {
    const saidAt = seen.filter((other) => other.head.hash === head.hash).map(timeOf)
    const supporters = seen.filter(({ hashes }) => hashes.get(head.number) === head.hash)
    const times = supporters.map(timeOf).sort((a, b) => b - a)
    // A node that knows the block as an ancestor does not confirm that it is still the latest.
    const askedAt = Math.min(Math.max(...saidAt), times[1] ?? 0)
    const lead = supporters[0]!.head.number - head.number
    if (times.length >= 2)
      return { head, askedAt, supporters: times.length, lead, isContested: false }
  }
  return undefined
}

function timeOf({ askedAt }: Seen): number {
  return askedAt
}

function lesserEvil([first, second, third]: readonly Seen[]): Best {
  const apart = first!.head.number - second!.head.number
  const isFarApart = apart > farApart
  const { askedAt, head } = third === undefined && isFarApart ? first! : second!
  return { head, askedAt, supporters: 1, lead: 0n, isContested: isFarApart || apart === 0n }
}
