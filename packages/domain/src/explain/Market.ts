import { finderAbi, pricerAbi } from '@sluice/abi'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  numberToHex,
  size,
  slice,
} from 'viem'
import * as PlanCall from '../plan/PlanCall.js'
import * as Addresses from '../values/Addresses.js'

/** A pool that the search reads: one contract, between two of the tokens in play. */
export type Pool = {
  /** `PoolWords` of the contracts, which the Pricer takes. */
  readonly words: readonly bigint[]
  /** Number of the venue in the Hub. */
  readonly venue: number
  readonly address: Address
  readonly key: bigint
  /** Index of the first pool that is the same contract. A contract with three tokens is three pools. */
  readonly first: number
  /** Indexes of its tokens among the tokens in play; the first has the lower address. */
  readonly tokens: readonly [number, number]
}

/** What a search begins with. */
export type Market = {
  /** The chain's connector tokens and the hints, then `tokenIn`, then `tokenOut`. */
  readonly tokens: readonly Address[]
  readonly pools: readonly Pool[]
  /** Whether there were more pools than a search reads. */
  readonly isTruncated: boolean
}

/** More pools than a search can read. */
const maxPools = 256
/** Words of a pool before those that only some kinds have. */
const headWords = 11

/** Calldata of the Finder for the search that a call to the Quoter makes. */
export function encode(hub: Address, question: PlanCall.PlanQuestion): Hex {
  const { amountIn, tokenIn, tokenOut } = question
  const args = [hub, tokenIn, tokenOut, amountIn, PlanCall.optionsOf(question)] as const
  return encodeFunctionData({ abi: finderAbi, functionName: 'findMarket', args })
}

/**
 * Decodes the Finder's result, `MarketWords` of the contracts.
 *
 * @returns `undefined` if it is malformed, or not for the tokens of the question.
 */
export function decode(
  data: Hex,
  { tokenIn, tokenOut }: Pick<PlanCall.PlanQuestion, 'tokenIn' | 'tokenOut'>,
): Market | undefined {
  try {
    const packed = decodeFunctionResult({ abi: finderAbi, functionName: 'findMarket', data })
    const [[truncated, count, ...words] = [], , ...rest] = arraysIn(packed)
    const tokens = words.map(addressOf)
    const pools = rest.slice(0, Number(count)).map((each) => poolOf(each, tokens.length))
    const isWhole =
      BigInt(pools.length) === count &&
      pools.length <= maxPools &&
      Addresses.equal(tokens.at(-2)!, tokenIn) &&
      Addresses.equal(tokens.at(-1)!, tokenOut)
    return isWhole ? { tokens, pools, isTruncated: truncated !== 0n } : undefined
  } catch {
    return undefined
  }
}

/** Calldata of the Pricer that prices a swap on one pool. */
export function encodeSwap(pool: Pool, swap: { from: number; amountIn: bigint }): Hex {
  const args = [pool.words, swap.from === pool.tokens[0], swap.amountIn] as const
  return encodeFunctionData({ abi: pricerAbi, functionName: 'quote', args })
}

/** Splits joined arrays; each is its length and then its words. @throws if the lengths do not fit */
function arraysIn(joined: Hex): bigint[][] {
  const words = Array.from({ length: size(joined) / 32 }, (_, place) =>
    hexToBigInt(slice(joined, 32 * place, 32 * place + 32)),
  )
  const arrays: bigint[][] = []
  for (let place = 0; place < words.length; ) {
    const end = BigInt(place) + 1n + words[place]!
    if (end > BigInt(words.length)) throw new RangeError('an array ends behind the words')
    arrays.push(words.slice(place + 1, Number(end)))
    place = Number(end)
  }
  return arrays
}

/** @throws if the words are not those of a pool between two of the tokens */
function poolOf(words: readonly bigint[], tokenCount: number): Pool {
  if (words.length < headWords) throw new RangeError('a pool lacks words')
  const [numbers, key, address] = words.slice(2) as [bigint, bigint, bigint]
  const numberAt = (shift: bigint) => Number((numbers >> shift) & 0xffffn)
  const tokens = [numberAt(32n), numberAt(48n)] as const
  if (tokens.some((token) => token >= tokenCount)) throw new RangeError('a pool has another token')
  const place = { venue: numberAt(0n), first: numberAt(16n) }
  return { words, ...place, address: addressOf(address), key, tokens }
}

function addressOf(word: bigint): Address {
  return getAddress(numberToHex(word, { size: 20 }))
}
