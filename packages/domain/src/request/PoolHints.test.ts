import { describe, expect, test } from 'vitest'
import { tokens } from '../../test/deployments.js'
import * as PoolHints from './PoolHints.js'

const id = `0x${'Ab'.repeat(32)}` as const
const padded = `0x${'0'.repeat(24)}${tokens.dai.slice(2)}` as const

describe('PoolHints.parse', () => {
  test('default: addresses get their checksum, ids are in lower case', () => {
    expect(PoolHints.parse(`${tokens.dai.toLowerCase()},${id}`)).toEqual([
      tokens.dai,
      id.toLowerCase(),
    ])
  })

  test('behavior: keeps each pool once, in whatever form it is given', () => {
    expect(PoolHints.parse([tokens.dai, tokens.dai.toLowerCase(), padded, id, id].join())).toEqual([
      tokens.dai,
      id.toLowerCase(),
    ])
  })

  test('behavior: words are read back', () => {
    for (const pool of PoolHints.parse(`${tokens.dai},${id}`))
      expect(PoolHints.fromWord(PoolHints.word(pool))).toBe(pool)
  })
})

describe('PoolHints.isOfKey', () => {
  const places = 0x12n

  test('default: the pool of an adapter is in the key, above the places of its tokens', () => {
    expect(PoolHints.isOfKey(tokens.dai, (BigInt(tokens.dai) << 8n) | places)).toBe(true)
    expect(PoolHints.isOfKey(tokens.dai, (BigInt(tokens.usdc) << 8n) | places)).toBe(false)
    expect(PoolHints.isOfKey(tokens.dai, 3_000n)).toBe(false)
  })

  test('behavior: of an id, the key holds the first 25 bytes', () => {
    expect(PoolHints.isOfKey(id, BigInt(id.slice(0, 52)) << 8n)).toBe(true)
    expect(PoolHints.isOfKey(id, (BigInt(id.slice(0, 52)) + 1n) << 8n)).toBe(false)
  })

  test('behavior: a price floor above the pool does not matter', () => {
    const key = BigInt(id.slice(0, 52)) << 8n
    expect(PoolHints.isOfKey(id, key | (1n << 208n) | (1n << 255n))).toBe(true)
  })
})

describe('PoolHints.isHookedKey', () => {
  const floor = (1n << 208n) | (1n << 255n)
  const hooked = BigInt(id.slice(0, 52)) << 8n

  test.each([
    ['an id and a byte of zeros', hooked, true],
    ['the same with a price floor', hooked | floor, true],
    ['an id and another byte', hooked | 1n, false],
    ['an address', BigInt(tokens.dai) << 8n, false],
    ['an address with a price floor', (BigInt(tokens.dai) << 8n) | floor, false],
  ])('%s', (_, key, expected) => {
    expect(PoolHints.isHookedKey(key)).toBe(expected)
  })
})

test('PoolHints.fromPlace: the place is above the bits that a key leaves out', () => {
  const second = PoolHints.fromPlace(2)
  expect(second).toBe(`0x${'0'.repeat(49)}200000000000000`)
  expect(PoolHints.isOfKey(second, 2n << 8n)).toBe(true)
})

describe('PoolHints.problemOf', () => {
  test('default: up to eight addresses and ids', () => {
    expect(PoolHints.problemOf([...Array(7).fill(tokens.dai), id].join())).toBeUndefined()
  })

  test.each([
    ['', 'must be addresses (0x and 40 hexadecimal digits) or ids of pools (0x and 64 '],
    ['USDC', 'must be addresses '],
    [`${tokens.dai},`, 'must be addresses '],
    [`0x${'a'.repeat(63)}`, 'must be addresses '],
    [tokens.dai.replace('a', 'A'), 'has a wrong EIP-55 checksum'],
    [Array(9).fill(tokens.dai).join(), 'must be at most 8 pools'],
  ])('error: %j', (text, reason) => {
    expect(PoolHints.problemOf(text)).toContain(reason)
  })
})
