import { type Address, getAddress, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { chooseHints } from './chooseHints.js'
import { createDepthMap } from './DepthMap.js'
import type { Depth } from './readDepths.js'

const [tokenIn, tokenOut, weth, a, b, c, d, e, f] = Array.from(
  { length: 9 },
  (_, index): Address => getAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`),
) as [Address, Address, Address, Address, Address, Address, Address, Address, Address]

/** A pool with these reserves. */
function poolOf(token0: Address, token1: Address, amount0: number, amount1 = amount0): Depth {
  const [one, two] = [token0, token1].map((token) => token.toLowerCase() as Address)
  return {
    token0: one!,
    token1: two!,
    reserve0: amount0,
    reserve1: amount1,
    most0: amount0,
    most1: amount1,
    afterFee: 0.997,
  }
}

/** Pools on both sides of a token. */
function through(token: Address, depth: number): Depth[] {
  return [poolOf(tokenIn, token, depth), poolOf(token, tokenOut, depth)]
}

function choose(
  depths: readonly Depth[],
  changes: Partial<Parameters<typeof chooseHints>[1]> = {},
) {
  const trade = { tokenIn, tokenOut, amountIn: 1_000_000n, connectorTokens: [weth], ...changes }
  return chooseHints(createDepthMap(depths, weth), trade)
}

describe('chooseHints', () => {
  test('default: the deepest token first, regardless of the number of pools', () => {
    const shallow = Array.from({ length: 40 }, () => through(b, 10)).flat()
    expect(choose([...shallow, ...through(a, 1e9)])[0]![0]).toBe(a)
  })

  test('behavior: the connector tokens need no hint', () => {
    expect(choose(through(weth, 1e9))).toEqual([])
  })

  test('behavior: two tokens that only connect the pair together come together', () => {
    const chain = [poolOf(tokenIn, a, 1e9), poolOf(a, b, 1e9), poolOf(b, tokenOut, 1e9)]
    expect(choose(chain)).toEqual([[a, b]])
  })

  test('behavior: finds a token behind a connector', () => {
    const chain = [poolOf(tokenIn, weth, 1e9), poolOf(weth, a, 1e9), poolOf(a, tokenOut, 1e9)]
    expect(choose(chain)).toEqual([[a]])
  })

  test('behavior: if there are too many for one call, the most used ones', () => {
    const depths = [a, b, c, d, e, f].flatMap((token, index) => through(token, 1e6 * (index + 1)))
    expect(choose(depths)).toEqual([
      [f, e, d, c],
      [b, a],
    ])
  })

  test('behavior: a shallow pool is chosen for a small trade', () => {
    const depths = [...through(a, 1e4), ...through(weth, 1e12)]
    // At its current price, the shallow pool is better.
    const better = depths.map((depth, index) =>
      index === 1
        ? { ...depth, reserve1: 1.01 * depth.reserve1, most1: 1.01 * depth.most1 }
        : depth,
    )
    expect(choose(better, { amountIn: 10n })).toEqual([[a]])
    expect(choose(better, { amountIn: 10n ** 12n })).toEqual([])
  })

  test('behavior: a banned token is not proposed', () => {
    const isBanned = (token: Address) => token === a.toLowerCase()
    expect(choose([...through(a, 1e9), ...through(b, 1e6)], { isBanned })).toEqual([[b]])
  })

  test('behavior: the native coin counts as its wrapped form', () => {
    const depths = [poolOf(zeroAddress, a, 1e9), poolOf(a, tokenOut, 1e9)]
    expect(choose(depths, { tokenIn: weth, connectorTokens: [] })).toEqual([[a]])
  })

  test('behavior: balances count, not prices that anybody can set', () => {
    const real = through(a, 1e9)
    const dust = Array.from({ length: 60 }, (_, index) => {
      const token: Address = `0x${(index + 100).toString(16).padStart(40, '0')}`
      return through(token, 1e15).map((depth) => ({ ...depth, most0: 1, most1: 1 }))
    }).flat()
    expect(choose([...dust, ...real])[0]).toContain(a)
  })
})
