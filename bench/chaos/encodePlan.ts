import { quoterAbi } from '@sluice/abi'
import { Plan } from '@sluice/domain'
import { type Address, encodeFunctionResult, type Hex, numberToHex, pad } from 'viem'
import type { ChainBlock } from './Chain.js'

export const tokenIn: Address = '0x4200000000000000000000000000000000000006'
export const tokenOut: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
/** Chain id of Base, which sources of market data support. */
export const chainId = 8_453

/** Output of `amountIn` before the fee. Every block has another price, so that a mix of two blocks is detected. */
export function grossOutOf(amountIn: bigint, block: ChainBlock): bigint {
  return amountIn * (2n + BigInt(block.hash.slice(0, 4)))
}

/** Placeholders for the values that differ between plans. */
const names = [
  'amountIn',
  'grossOut',
  'fee',
  'netOut',
  'floor',
  'number',
  'time',
  'chain',
  'sold',
  'bought',
] as const
const marks = Object.fromEntries(
  names.map((name, index) => [name, `0x${'0'.repeat(24)}${`c${index}`.repeat(20)}`]),
) as Record<(typeof names)[number], Hex>
const parentMark: Hex = `0x${'d7'.repeat(32)}`
const [executable, failing] = (['Executable', 'DryRunFailed'] as const).map((verdict) =>
  template(Plan.verdicts.indexOf(verdict)).split(/(0{24}(?:c[0-9]){20}|(?:d7){32})/),
) as [string[], string[]]

/** The trade of a plan, and how the simulated nodes respond. */
export type PlanAsked = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  /** Whether the dry run of the swap fails. */
  readonly isFailing?: boolean
}

/** Returns the Quoter's result in a node's format. Fills in a template, because benches need it very often. */
export function encodePlan(
  { amountIn, isFailing = false, ...pair }: PlanAsked,
  block: ChainBlock,
  onChain = chainId,
): Hex {
  const grossOut = grossOutOf(amountIn, block)
  const fee = (grossOut * 28n) / 10_000n
  const netOut = grossOut - fee
  const values: Record<(typeof names)[number], bigint> = {
    amountIn,
    grossOut,
    fee,
    netOut,
    // The floor of a trade without impact: 1 % below the quote.
    floor: netOut - netOut / 100n,
    number: BigInt(block.number),
    time: BigInt(block.timestamp),
    chain: BigInt(onChain),
    sold: BigInt(pair.tokenIn),
    bought: BigInt(pair.tokenOut),
  }
  const filled = (isFailing ? failing : executable).map((part) => {
    if (part.length !== 64) return part
    if (part.startsWith('d7')) return block.parentHash.slice(2)
    const index = /^0{24}c([0-9a])c\1/.exec(part)?.[1]
    if (index === undefined) return part
    return pad(numberToHex(values[names[Number(index)]!])).slice(2)
  })
  return filled.join('') as Hex
}

function template(verdict: number): Hex {
  const leg = {
    venue: 1,
    pool: '0x00000000000000000000000000000000000000b0',
    tokenIn: address(marks.sold),
    tokenOut: address(marks.bought),
    key: 3_000n,
    share: 10n ** 18n,
  }
  const result = {
    route: {
      tokenIn: leg.tokenIn,
      tokenOut: leg.tokenOut,
      amountIn: BigInt(marks.amountIn),
      grossOut: BigInt(marks.grossOut),
      impactBps: 0n,
      legs: [leg],
    },
    verdict,
    protocolFee: BigInt(marks.fee),
    netOut: BigInt(marks.netOut),
    ironFloor: BigInt(marks.floor),
    upperBound: BigInt(marks.grossOut),
    gapMicroBps: 0n,
    estGas: 130_000n,
    hops: 1n,
    hasSurplus: false,
    truncated: false,
    poolsRead: 4n,
    witness: {
      chainId: BigInt(marks.chain),
      blockNumber: BigInt(marks.number),
      timestamp: BigInt(marks.time),
      parentHash: parentMark,
    },
  }
  return encodeFunctionResult({
    abi: quoterAbi,
    functionName: 'previewPlanExact',
    result: result as never,
  })
}

function address(word: Hex): Address {
  return `0x${word.slice(-40)}`
}
