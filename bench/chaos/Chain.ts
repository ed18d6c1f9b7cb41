import { type Hex, keccak256, numberToHex, toHex } from 'viem'

export type ChainBlock = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: number
}

/** A simulated chain that grows and reorganizes on request, and remembers which blocks were its head, and when. */
export type Chain = {
  readonly tip: () => ChainBlock
  /** Returns a block of the current branch; `undefined` beyond its ends. */
  readonly at: (number: number) => ChainBlock | undefined
  /** Returns the blocks of all branches that were ever the current one. */
  readonly everAt: (number: number) => readonly ChainBlock[]
  readonly byHash: (hash: Hex) => ChainBlock | undefined
  readonly grow: () => void
  /** Replaces the last `depth` blocks and adds one. */
  readonly reorganize: (depth: number) => void
  /** Returns a competing block at the height of the current tip, on no branch. */
  readonly fork: () => ChainBlock
  /** Returns the number of the block that was the tip at a time (monotonic milliseconds). */
  readonly tipAt: (time: number) => number
  /** Whether a block was in the current branch at any time since `since`. */
  readonly wasCanonical: (hash: Hex, since: number) => boolean
}

const start = 20_000
const kept = 2_000

export function createChain(): Chain {
  const startedAt = Math.floor(Date.now() / 1_000)
  const blocks = new Map<number, ChainBlock>()
  const orphanedAt = new Map<Hex, number>()
  const hashes = new Map<Hex, ChainBlock>()
  const everAt = new Map<number, ChainBlock[]>()
  const tips: { time: number; number: number }[] = []
  let tipNumber = start - kept
  let branch = 0
  const make = (number: number, parentHash: Hex, salt: string | number): ChainBlock => ({
    number,
    parentHash,
    hash: keccak256(toHex(`${number} ${salt}`)),
    // Two seconds per block up to the start, then by the clock.
    timestamp: number <= start ? startedAt - 2 * (start - number) : Math.floor(Date.now() / 1_000),
  })
  const grow = () => {
    const parentHash = blocks.get(tipNumber)?.hash ?? keccak256('0x')
    const block = make(++tipNumber, parentHash, branch)
    blocks.set(block.number, block)
    hashes.set(block.hash, block)
    everAt.set(block.number, [...(everAt.get(block.number) ?? []), block])
    tips.push({ time: performance.now(), number: tipNumber })
    blocks.delete(tipNumber - 2 * kept)
  }
  for (let count = 0; count < kept; count++) grow()
  return {
    grow,
    tip: () => blocks.get(tipNumber)!,
    at: (number) => blocks.get(number),
    everAt: (number) => [...(everAt.get(number) ?? [])],
    byHash: (hash) => hashes.get(hash),
    reorganize(depth) {
      branch++
      for (let count = 0; count < depth; count++) {
        const { hash } = blocks.get(tipNumber)!
        orphanedAt.set(hash, performance.now())
        blocks.delete(tipNumber--)
      }
      for (let count = 0; count <= depth; count++) grow()
    },
    fork: () => make(tipNumber, blocks.get(tipNumber - 1)!.hash, 'fork'),
    tipAt(time) {
      let index = tips.length - 1
      while (index > 0 && tips[index]!.time > time) index--
      return tips[index]!.number
    },
    wasCanonical(hash, since) {
      const block = hashes.get(hash)
      if (block === undefined) return false
      return (orphanedAt.get(hash) ?? Number.POSITIVE_INFINITY) >= since
    },
  }
}

/** Returns the members of `eth_getBlockByNumber`'s result that clients here read. */
export function headerOf({ hash, number, parentHash, timestamp }: ChainBlock) {
  return { hash, parentHash, number: numberToHex(number), timestamp: numberToHex(timestamp) }
}
