import { finderAbi } from '@sluice/abi'
import { concatHex, encodeFunctionResult, type Hex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import * as Market from './Market.js'

const [weth, tokenIn, tokenOut] = [1, 2, 3].map((digit) => `0x${`${digit}`.repeat(40)}` as Hex)
const question = { tokenIn: tokenIn!, tokenOut: tokenOut! }
/** Venue 7; the first pool that is the same contract; tokens 0 and 2. */
const numbers = 7n | (1n << 16n) | (0n << 32n) | (2n << 48n)
const pool = [0n, 0n, numbers, 500n, BigInt(`0x${'b0'.repeat(20)}`), 0n, 0n, 0n, 0n, 0n, 0n]

/** Joins arrays as the contracts do: each as its length and its words. */
function joined(arrays: readonly (readonly bigint[])[]): Hex {
  return packed(arrays.flatMap((each) => [BigInt(each.length), ...each]))
}

function packed(words: readonly bigint[]): Hex {
  const result = concatHex(words.map((word) => numberToHex(word, { size: 32 })))
  return encodeFunctionResult({ abi: finderAbi, functionName: 'findMarket', result })
}

const head = [1n, 1n, BigInt(weth!), BigInt(tokenIn!), BigInt(tokenOut!)]

describe('Market.decode', () => {
  test('default: tokens in play, and pools with their venue', () => {
    const data = joined([head, [0n, 0n, 0n], pool, [], [1n, 2n]])
    expect(Market.decode(data, question)).toEqual({
      tokens: [weth, tokenIn, tokenOut],
      pools: [
        {
          words: pool,
          venue: 7,
          first: 1,
          tokens: [0, 2],
          key: 500n,
          address: '0xB0B0b0B0B0B0B0b0B0B0B0b0b0b0b0B0b0b0B0B0',
        },
      ],
      isTruncated: true,
    })
  })

  test.each([
    ['an array that is longer than the words', packed([9n, 1n, 2n])],
    ['an absurdly long array', packed([2n ** 255n, 1n])],
    ['fewer pools than announced', joined([[0n, 9n, ...head.slice(2)], [], pool])],
    ['a pool with a token that is not in play', joined([head, [], pool.with(2, 9n << 48n), []])],
    ['a pool without its words', joined([head, [], pool.slice(0, 5), []])],
    ['the market of other tokens', joined([[0n, 0n, BigInt(tokenIn!), BigInt(weth!)], []])],
    ['nothing', '0x'],
    ['words that are no arrays', `0x${'ff'.repeat(64)}`],
  ] as const)('error: undefined for %s', (_, data) => {
    expect(Market.decode(data as Hex, question)).toBeUndefined()
  })
})
