import { quoterAbi } from '@sluice/abi'
import { type Address, encodeFunctionResult, type Hex, numberToHex, pad } from 'viem'
import type { ChainBlock } from './Chain.js'

export const tokenIn: Address = '0x4200000000000000000000000000000000000006'
export const tokenOut: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const chainId = 31_337

/** Output before the fee of `amountIn` on a block: every block has its own price, so a mixed answer shows. */
export function grossOutOf(amountIn: bigint, block: ChainBlock): bigint {
  return amountIn * (2n + BigInt(block.hash.slice(0, 4)))
}

/** Words that stand for what differs between plans. */
const names = [
  'amountIn',
  'grossOut',
  'fee',
  'netOut',
  'floor',
  'bound',
  'number',
  'time',
  'chain',
] as const
const marks = Object.fromEntries(
  names.map((name, index) => [name, BigInt(`0x${`c${index}`.repeat(31)}`)]),
) as Record<(typeof names)[number], bigint>
const parentMark: Hex = `0x${'d7'.repeat(32)}`
const parts = template().split(/((?:00)(?:c[0-8]){31}|(?:d7){32})/)

/** The Quoter's answer as a node returns it. Encoded once and filled in, because a bench asks for it very often. */
export function encodePlan(amountIn: bigint, block: ChainBlock, onChain = chainId): Hex {
  const grossOut = grossOutOf(amountIn, block)
  const fee = (grossOut * 28n) / 10_000n
  const netOut = grossOut - fee
  const floor = netOut - netOut / 100n
  const values = [
    amountIn,
    grossOut,
    fee,
    netOut,
    floor,
    grossOut + 1n,
    BigInt(block.number),
    BigInt(block.timestamp),
    BigInt(onChain),
  ]
  const filled = parts.map((part) => {
    if (part.length !== 64) return part
    if (part.startsWith('d7')) return block.parentHash.slice(2)
    const index = /^00c([0-8])c\1/.exec(part)?.[1]
    return index === undefined ? part : pad(numberToHex(values[Number(index)]!)).slice(2)
  })
  return filled.join('') as Hex
}

function template(): Hex {
  const leg = {
    venue: 1,
    pool: '0x00000000000000000000000000000000000000b0',
    tokenIn,
    tokenOut,
    key: 3_000n,
    share: 10n ** 18n,
  }
  const result = {
    route: {
      tokenIn,
      tokenOut,
      amountIn: marks.amountIn,
      grossOut: marks.grossOut,
      impactBps: 12n,
      legs: [leg],
    },
    verdict: 0,
    protocolFee: marks.fee,
    netOut: marks.netOut,
    ironFloor: marks.floor,
    upperBound: marks.bound,
    gapMicroBps: 0n,
    estGas: 130_000n,
    hops: 1n,
    hasSurplus: false,
    truncated: false,
    poolsRead: 4n,
    witness: {
      chainId: marks.chain,
      blockNumber: marks.number,
      timestamp: marks.time,
      parentHash: parentMark,
    },
  }
  return encodeFunctionResult({
    abi: quoterAbi,
    functionName: 'previewPlanExact',
    result: result as never,
  })
}
