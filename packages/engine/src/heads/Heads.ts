import type { Hex } from 'viem'
import type { Head } from './Head.js'

/** What one node said of the chain. */
type Seen = {
  head: Head
  askedAt: number
  /** Hashes by block number, as far as its headers link up to the latest one. */
  readonly hashes: Map<bigint, Hex>
}

/** The block to quote on. */
export type Best = {
  readonly head: Head
  /**
   * When two nodes were asked that confirm it, and one for which it is the latest: whichever was earlier (monotonic
   * milliseconds).
   */
  readonly askedAt: number
  /** How many nodes know it. */
  readonly supporters: number
  /** Blocks by which the furthest of them is beyond it. */
  readonly lead: bigint
  /** Another node says what cannot be true beside it, and no second one knows it. */
  readonly isContested: boolean
}

/** The heads that a chain's nodes report, by the nodes' labels. */
export type Heads = {
  note: (label: string, head: Head, askedAt: number) => void
  /** The node did not answer when it was asked then, or not to be believed; what it said since still counts. */
  forget: (label: string, askedAt: number) => void
  /** Whether the node answered when it was asked the last time. */
  has: (label: string) => boolean
  /** What the node said the last time, unless it was forgotten. */
  of: (label: string) => Head | undefined
  /**
   * The highest head that two nodes know, or the only one.
   *
   * If nodes disagree about everything, the second highest, which keeps a node that runs ahead alone from deciding;
   * of two nodes far apart the higher one, since nodes fall behind far more often than they make blocks up.
   *
   * @param since Nodes that were asked before have no vote (monotonic milliseconds).
   */
  best: (since?: number) => Best | undefined
}

const maxHashes = 64
/** Blocks by which honest nodes differ while a block travels. */
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

/** What a node knows after one more header: what that one does not lead back to may be of a branch that was left. */
function addHead(known: Map<bigint, Hex> | undefined, head: Head): Map<bigint, Hex> {
  const { hash, number, parentHash } = head
  const isLinked = known?.get(number - 1n) === parentHash
  const hashes = new Map(isLinked ? known : [])
  for (const later of hashes.keys()) if (later > number) hashes.delete(later)
  hashes.set(number - 1n, parentHash).set(number, hash)
  while (hashes.size > maxHashes) hashes.delete(hashes.keys().next().value!)
  return hashes
}

/** @param seen Highest first. */
function highestShared(seen: readonly Seen[]): Best | undefined {
  for (const { head } of seen) {
    const saidAt = seen.filter((other) => other.head.hash === head.hash).map(timeOf)
    const supporters = seen.filter(({ hashes }) => hashes.get(head.number) === head.hash)
    const times = supporters.map(timeOf).sort((a, b) => b - a)
    // That a block is known later does not make it the latest for so long.
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
