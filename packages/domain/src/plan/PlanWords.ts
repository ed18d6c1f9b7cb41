import { type Address, checksumAddress, type Hex } from 'viem'
import { type Leg, type Plan, verdicts } from './Plan.js'

/**
 * Word indexes of an encoded Plan. This file decodes by hand, because every quote waits for it: a general decoder, and the
 * re-encoding that makes it strict, take ten times as long. A test compares it with the ABI.
 */
const layout = { plan: 1, witness: 13, route: 17, legCount: 23, legs: 24, perLeg: 6 } as const
/** Words in front of the Plan in an answer for an output: where it begins, the bound and the gap of the input. */
const inputWords = 3

/** Upper bound on the number of legs, above that of any route, so that a false count costs little. */
const maxLegs = 256

/**
 * Decodes a Plan, or a Plan with the bound of its input; `undefined` for anything but the canonical encoding, to the last
 * byte.
 *
 * @param data Lower-case hexadecimal.
 */
export function read(data: Hex): Plan | undefined {
  const head = createReader(data)
  const offset = 32 * inputWords
  if (head.count(0, offset) !== offset) return readPlan(data)
  const inputBound = { lowerBound: head.integer(1), gapMicroBps: head.integer(2) }
  if (head.isWrong()) return undefined
  // The plan follows as if it came alone.
  const plan = readPlan(`0x${aloneWord}${data.slice(2 + 64 * inputWords)}`)
  return plan && { ...plan, inputBound }
}

const aloneWord = (0x20).toString(16).padStart(64, '0')

function readPlan(data: Hex): Plan | undefined {
  const words = createReader(data)
  const legCount = words.count(layout.legCount, maxLegs)
  const verdict = verdicts[words.count(layout.plan + 1, verdicts.length - 1)]
  const plan = {
    route: {
      tokenIn: words.address(layout.route),
      tokenOut: words.address(layout.route + 1),
      amountIn: words.integer(layout.route + 2),
      grossOut: words.integer(layout.route + 3),
      impactBps: words.integer(layout.route + 4),
      legs: Array.from({ length: legCount }, (_, index) =>
        readLeg(words, layout.legs + layout.perLeg * index),
      ),
    },
    protocolFee: words.integer(layout.plan + 2),
    netOut: words.integer(layout.plan + 3),
    ironFloor: words.integer(layout.plan + 4),
    upperBound: words.integer(layout.plan + 5),
    gapMicroBps: words.integer(layout.plan + 6),
    estGas: words.integer(layout.plan + 7),
    hops: words.integer(layout.plan + 8),
    hasSurplus: words.count(layout.plan + 9, 1) === 1,
    truncated: words.count(layout.plan + 10, 1) === 1,
    poolsRead: words.integer(layout.plan + 11),
    witness: {
      chainId: words.integer(layout.witness),
      blockNumber: words.integer(layout.witness + 1),
      timestamp: words.integer(layout.witness + 2),
      parentHash: words.hash(layout.witness + 3),
    },
  }
  words.expect(0, 0x20)
  words.expect(layout.plan, 32 * (layout.route - layout.plan))
  words.expect(layout.route + 5, 32 * (layout.legCount - layout.route))
  words.expectEnd(layout.legs + layout.perLeg * legCount)
  return words.isWrong() || verdict === undefined ? undefined : { ...plan, verdict }
}

function readLeg(words: Reader, at: number): Leg {
  return {
    venue: words.count(at, 0xffff),
    pool: words.address(at + 1),
    tokenIn: words.address(at + 2),
    tokenOut: words.address(at + 3),
    key: words.integer(at + 4),
    share: words.integer(at + 5),
  }
}

type Reader = ReturnType<typeof createReader>

/** Reads words by index. An invalid word reads as zero and makes `isWrong` true. */
function createReader(data: Hex) {
  let wrong = false
  const word = (index: number) => data.slice(2 + 64 * index, 66 + 64 * index)
  const count = (index: number, max: number) => {
    const value = Number.parseInt(word(index), 16)
    if (value <= max) return value
    wrong = true
    return 0
  }
  return {
    count,
    integer(index: number): bigint {
      const text = word(index)
      if (text.length === 64) return BigInt(`0x${text}`)
      wrong = true
      return 0n
    },
    address(index: number): Address {
      const text = word(index)
      if (!text.startsWith('000000000000000000000000')) wrong = true
      return wrong ? '0x' : checksumAddress(`0x${text.slice(24)}`)
    },
    hash: (index: number): Hex => `0x${word(index)}`,
    expect(index: number, value: number) {
      if (count(index, value) !== value) wrong = true
    },
    expectEnd(index: number) {
      if (data.length !== 2 + 64 * index) wrong = true
    },
    isWrong: () => wrong,
  }
}
