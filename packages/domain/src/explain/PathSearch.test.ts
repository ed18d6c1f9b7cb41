import { describe, expect, test } from 'vitest'
import type { Market } from './Market.js'
import * as PathSearch from './PathSearch.js'

const address = (digit: number) => `0x${String(digit).repeat(40)}` as const

/** A constant product without a fee; amounts by token index. */
type Reserves = readonly [a: number, b: number, reserveA: bigint, reserveB: bigint]

/** Tokens 0 to 2 are connector tokens, 3 is sold and 4 is bought. */
function marketOf(reserves: readonly Reserves[], firsts: Readonly<Record<number, number>> = {}) {
  const pools = reserves.map(([a, b], index) => ({
    words: [],
    venue: 1,
    address: address(index + 1),
    key: 0n,
    first: firsts[index] ?? index,
    tokens: [a, b] as const,
  }))
  return { tokens: [0, 1, 2, 3, 4].map(address), pools, isTruncated: false } satisfies Market
}

function pays([a, , reserveA, reserveB]: Reserves, { amountIn, from }: PathSearch.Swap): bigint {
  const [held, paid] = from === a ? [reserveA, reserveB] : [reserveB, reserveA]
  return (amountIn * paid) / (held + amountIn)
}

/** What the best path pays, by hop-by-hop search. */
function most(market: Market, reserves: readonly Reserves[], amountIn: bigint): bigint {
  return search(market, reserves, amountIn).at(-1)?.amountOut ?? 0n
}

/** The best path by hop-by-hop search, as the engine makes it; empty if there is none. */
function search(market: Market, reserves: readonly Reserves[], amountIn: bigint) {
  let reached = PathSearch.start(market)
  let best: readonly PathSearch.PricedSwap[] | undefined
  for (let hop = 1; hop <= PathSearch.maxHops; hop++) {
    const priced = PathSearch.swapsOf(market, reached, { amountIn, hop }).map((swap) => ({
      ...swap,
      amountOut: pays(reserves[swap.pool]!, swap),
      gas: 1n,
    }))
    best = PathSearch.better(best, PathSearch.bestPath(market, reached, priced))
    reached = PathSearch.reach(market, reached, priced)
  }
  return best ?? []
}

/** Every path of at most three pools, by trying all of them. */
function everyPath(
  market: Market,
  reserves: readonly Reserves[],
  amountIn: bigint,
  at = 3,
  used: readonly number[] = [],
): bigint {
  if (at === 4) return amountIn
  if (used.length === 3) return 0n
  const outputs = market.pools.flatMap(({ tokens: [a, b] }, pool) => {
    const to = a === at ? b : b === at ? a : undefined
    if (to === undefined || used.includes(pool) || to === 3) return []
    const out = pays(reserves[pool]!, { pool, from: at, to, amountIn })
    return [everyPath(market, reserves, out, to, [...used, pool])]
  })
  return outputs.sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n
}

describe('PathSearch', () => {
  test('default: finds the best path of up to three pools', () => {
    const reserves: Reserves[] = [
      [3, 4, 1_000n, 900n],
      [3, 0, 100_000n, 100_000n],
      [3, 0, 50_000n, 60_000n],
      [0, 1, 90_000n, 100_000n],
      [1, 4, 100_000n, 120_000n],
      [0, 4, 20_000n, 20_000n],
      [2, 4, 1_000n, 1_000_000n],
    ]
    const market = marketOf(reserves)
    for (const amountIn of [1n, 10n, 777n, 40_000n]) {
      expect(most(market, reserves, amountIn)).toBe(everyPath(market, reserves, amountIn))
    }
    expect(search(market, reserves, 777n).map(({ pool }) => pool)).toEqual([2, 3, 4])
  })

  test('property: as good as trying every path, on random markets', () => {
    let state = 12_345
    const next = (most: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 8) % most
    }
    for (let round = 0; round < 200; round++) {
      const reserves = Array.from({ length: 1 + next(9) }, (): Reserves => {
        const a = next(5)
        const b = (a + 1 + next(4)) % 5
        return [a, b, BigInt(1 + next(100_000)), BigInt(1 + next(100_000))]
      })
      const market = marketOf(reserves)
      const amountIn = BigInt(1 + next(50_000))
      expect(most(market, reserves, amountIn)).toBe(everyPath(market, reserves, amountIn))
    }
  })

  test('behavior: a path uses a contract of three tokens once', () => {
    const reserves: Reserves[] = [
      [3, 0, 1_000n, 1_000n],
      [0, 4, 1_000n, 1_000n],
    ]
    expect(search(marketOf(reserves, { 1: 0 }), reserves, 10n)).toEqual([])
    expect(search(marketOf(reserves), reserves, 10n)).toHaveLength(2)
  })

  test.each([
    ['5', [], 'pays'],
    [null, [], 'unread'],
    ['0', ['1', '0'], 'takes_less'],
    ['0', ['0', '1'], 'rounds_to_zero'],
    ['0', ['0', '0'], 'pays_nothing'],
    ['0', ['0', null], 'unread'],
    ['0', [], 'unread'],
  ])('behavior: an output of %s, and %j of other inputs: %s', (output, probed, verdict) => {
    const read = (text: string | null | undefined) => (text ? BigInt(text) : undefined)
    const swap = { pool: 0, from: 3, to: 4, amountIn: 1n, amountOut: read(output), gas: 0n }
    expect(PathSearch.verdictOf(swap, probed.map(read))).toBe(verdict)
  })

  test('behavior: probes are a smaller and a larger input, never zero and never too large', () => {
    const probes = (amountIn: bigint) => PathSearch.probesOf({ pool: 0, from: 0, to: 1, amountIn })
    expect(probes(1n)).toEqual([1n, 2n ** 20n])
    expect(probes(2n ** 40n)).toEqual([2n ** 20n, 2n ** 60n])
    expect(probes(2n ** 200n)[1]).toBe(2n ** 112n)
  })
})
