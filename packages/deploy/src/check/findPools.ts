import { finderAbi, trialAbi } from '@sluice/abi'
import { Market } from '@sluice/domain'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  isAddressEqual,
} from 'viem'
import type { Bench } from './Bench.js'
import type { TokenPair } from './pairs.js'
import type { Ask } from './TrialCalls.js'

/** A pool between the two tokens of a pair, as the Finder reads it. */
export type FoundPool = {
  /** Number of its venue in the config, from one on. */
  readonly venue: number
  readonly pool: Address
  readonly key: bigint
  readonly pair: TokenPair
  readonly words: readonly bigint[]
}

/** Base units of the first token for which curves are drawn. The pools do not depend on it. */
const amountIn = 10n ** 6n
const pairsPerCall = 4

/** Finds the pools of each pair with the protocol's own Finder. Says how many pairs it gave no answer for. */
export async function findPools(
  ask: Ask,
  bench: Bench,
  pairs: readonly TokenPair[],
): Promise<{ readonly pools: readonly FoundPool[]; readonly unanswered: number }> {
  const found = new Map<string, FoundPool>()
  let unanswered = 0
  for (let start = 0; start < pairs.length; start += pairsPerCall) {
    const group = pairs.slice(start, start + pairsPerCall)
    const questions = group.map(([tokenIn, tokenOut]) => ({ tokenIn, tokenOut, amountIn }))
    const data = encodeFunctionData({
      abi: trialAbi,
      functionName: 'find',
      args: [...bench.args, questions],
    })
    const answer = await ask(data, bench.override)
    const markets =
      answer && decodeFunctionResult({ abi: trialAbi, functionName: 'find', data: answer })[1]
    for (const [index, pair] of group.entries()) {
      const [a, b] = [getAddress(pair[0]), getAddress(pair[1])]
      const packed = markets?.[index] ?? '0x'
      const market = decodeMarket(packed, { tokenIn: a, tokenOut: b })
      if (market === undefined) unanswered++
      for (const { address, key, tokens, venue, words } of market?.pools ?? []) {
        const own = tokens.map((token) => market!.tokens[token]!) as [Address, Address]
        if (!isAddressEqual(own[0], a) || !isAddressEqual(own[1], b)) continue
        found.set(`${venue} ${address} ${key} ${own.join()}`, {
          venue,
          pool: address,
          key,
          pair: own,
          words,
        })
      }
    }
  }
  return { pools: [...found.values()], unanswered }
}

function decodeMarket(packed: Hex, question: { tokenIn: Address; tokenOut: Address }) {
  if (packed === '0x') return undefined
  const functionName = 'findMarket'
  const data = encodeFunctionResult({ abi: finderAbi, functionName, result: packed })
  return Market.decode(data, question)
}
