import { finderAbi, trialAbi } from '@sluice/abi'
import { Market, VenueKind } from '@sluice/domain'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  isAddressEqual,
  numberToHex,
  size,
} from 'viem'
import type { Bench } from './Bench.js'
import type { Hint } from './Hint.js'
import type { TokenPair } from './pairs.js'
import type { Ask } from './TrialCalls.js'

/** A pool between the two tokens of a pair, as the Finder reads it. */
export type FoundPool = {
  /** Number of its venue in the config, from one on. */
  readonly venue: number
  /** The pool's own contract; for Uniswap V4 the PoolManager, or the id of a pool with hooks. */
  readonly pool: Hex
  /** What a leg names as its pool: the adapter, if the venue has one. */
  readonly legPool: Address
  readonly key: bigint
  readonly pair: TokenPair
  readonly words: readonly bigint[]
}

/** A pool that adapters are told of. */
type Proposal = Pick<Hint, 'pair' | 'pool'>

/** Base units of the first token for which curves are drawn. The pools do not depend on it. */
const amountIn = 10n ** 6n
const pairsPerCall = 4
/** As many as a quote takes. */
const maxHints = 8

/** Finds the pools of each pair with the protocol's own Finder, proposing those that adapters do not list. Says how many pairs it gave no answer for. */
export async function findPools(
  ask: Ask,
  bench: Bench,
  { hints, pairs }: { pairs: readonly TokenPair[]; hints: readonly Proposal[] },
): Promise<{ readonly pools: readonly FoundPool[]; readonly unanswered: number }> {
  const found = new Map<string, FoundPool>()
  let unanswered = 0
  for (let start = 0; start < pairs.length; start += pairsPerCall) {
    const group = pairs.slice(start, start + pairsPerCall)
    const questions = group.map(([tokenIn, tokenOut]) => ({
      tokenIn,
      tokenOut,
      amountIn,
      pools: hintsFor([tokenIn, tokenOut], hints),
    }))
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
          pool: poolOf(words[0]!, { address, hints, key }),
          legPool: address,
          key,
          pair: own,
          words,
        })
      }
    }
  }
  return { pools: [...found.values()], unanswered }
}

/** What adapters are told of a pair. */
function hintsFor([a, b]: TokenPair, hints: readonly Proposal[]): bigint[] {
  const proposed = hints.filter(
    ({ pair }) => isAddressEqual(pair[0], a) && isAddressEqual(pair[1], b),
  )
  return proposed.slice(0, maxHints).map(({ pool }) => BigInt(pool))
}

/**
 * The first word of a pool holds its kind in the lowest byte. The key of an adapter's pool holds its address, or the first 25
 * bytes of its id.
 */
function poolOf(
  settings: bigint,
  { address, hints, key }: { address: Address; hints: readonly Proposal[]; key: bigint },
): Hex {
  const kind = VenueKind.names.find(
    (name) => BigInt(VenueKind.numberOf(name)) === (settings & 0xffn),
  )
  if (kind === undefined || !VenueKind.has(kind, 'attested')) return address
  const named = hints.find(({ pool }) => size(pool) === 32 && BigInt(pool) >> 56n === key >> 8n)
  if (named) return named.pool
  return getAddress(numberToHex((key >> 8n) & (2n ** 160n - 1n), { size: 20 }))
}

function decodeMarket(packed: Hex, question: { tokenIn: Address; tokenOut: Address }) {
  if (packed === '0x') return undefined
  const functionName = 'findMarket'
  const data = encodeFunctionResult({ abi: finderAbi, functionName, result: packed })
  return Market.decode(data, question)
}
