import { describe, expect, test } from 'vitest'
import { readTokenList } from '../src/effects/tokenLists.js'

const address = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'
const token = { chainId: 8453, address, symbol: 'DAI', name: 'Dai', decimals: 18 }
const listOf = (...tokens: readonly unknown[]) => JSON.stringify({ name: 'Mine', tokens })
const read = (text: string) => readTokenList(text, [8453])

describe('readTokenList', () => {
  test('default: tokens of served chains, none of them on a list of the service', () => {
    expect(read(listOf(token, { ...token, chainId: 5 }))).toEqual([{ ...token, isListed: false }])
  })

  test('behavior: pictures on other servers are left out, and long texts are cut', () => {
    const long = { ...token, symbol: 'S'.repeat(99), name: 'N'.repeat(99) }
    expect(read(listOf({ ...long, logoURI: 'https://elsewhere.test/dai.png' }))).toEqual([
      { ...token, symbol: 'S'.repeat(32), name: 'N'.repeat(32), isListed: false },
    ])
  })

  test('behavior: at most 400 tokens are taken', () => {
    expect(read(listOf(...Array.from({ length: 500 }, () => token)))).toHaveLength(400)
  })

  test.each([
    ['a name in place of an address', { ...token, address: 'DAI' }],
    ['an address with a typing error', { ...token, address: address.replace('c', 'C') }],
    ['no decimals', { ...token, decimals: undefined }],
    ['decimals in a text', { ...token, decimals: '18' }],
    ['more decimals than a token has', { ...token, decimals: 255 }],
    ['no symbol', { ...token, symbol: '' }],
    ['nothing', null],
  ])('error: a token with %s is left out', (_, given) => {
    expect(read(listOf(given, token))).toHaveLength(1)
    expect(read(listOf(given))).toBe('This list has no token of a chain that is served here.')
  })

  test.each([
    ['{', 'This is not a token list: it is not JSON.'],
    ['null', 'This is not a token list: it has no “tokens”.'],
    ['{"tokens":{}}', 'This is not a token list: it has no “tokens”.'],
  ])('error: %s is no list', (text, words) => {
    expect(read(text)).toBe(words)
  })
})
