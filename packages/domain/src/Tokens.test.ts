import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../test/deployments.js'
import * as Tokens from './Tokens.js'

const base = registry.get(8_453)!
const arbitrum = registry.get(42_161)!

function resolve(text: string, chain = base): Tokens.Resolved {
  const parsed = Tokens.parse(text)
  return parsed.ok ? Tokens.resolve(chain, parsed.token) : parsed
}

describe('Tokens', () => {
  test.each([
    ['ETH', tokens.weth, true],
    ['eth', tokens.weth, true],
    ['WETH', tokens.weth, false],
    ['wEtH', tokens.weth, false],
    ['usdc', tokens.usdc, false],
    ['SLU', tokens.slu, false],
    [tokens.dai, tokens.dai, false],
    [tokens.dai.toLowerCase(), tokens.dai, false],
  ])('default: %s', (text, address, isNative) => {
    expect(resolve(text)).toEqual({ ok: true, token: { address, isNative } })
  })

  test('error: SLU where it does not exist', () => {
    expect(resolve('SLU', arbitrum)).toEqual({
      ok: false,
      reason: 'SLU does not exist on Arbitrum',
    })
  })

  test('error: a traded symbol is told what symbols there are', () => {
    expect(resolve('DAI')).toEqual({
      ok: false,
      reason: 'symbols are ETH, WETH, USDC, SLU; name any other token by its address',
    })
  })

  test.each(['0x0000000000000000000000000000000000000000', `0x${'Ee'.repeat(20)}`.toLowerCase()])(
    'error: %s stands for the native coin elsewhere',
    (text) => {
      expect(resolve(text)).toEqual({ ok: false, reason: 'is no token; name the native coin ETH' })
    },
  )

  test.each([
    '',
    ' ',
    ' USDC',
    'USDC ',
    'USDC\n',
    'USDC\0',
    'USD\u0421', // Cyrillic
    'U\u0405DC', // Cyrillic
    '\uff35\uff33\uff24\uff23', // full width
    'US\u200bDC', // zero width
    'u\u017fdc', // long s, whose upper case is S
    'USDC\u202e',
    'USDC\u{e0041}',
    '$USDC',
    'USDC.e',
    'USDCe',
    'ETHER',
    'E TH',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    '0',
    '0x',
    '0X833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA029133',
    '0x833589fcd6eDb6E08f4c7C32D4f71b54bdA02913',
    '833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291G',
    'vitalik.eth',
    '<script>',
    "'; DROP TABLE",
    'A'.repeat(33),
    'WETH,USDC',
    'WETH/USDC',
    '%00',
  ])('error: %j is no token', (text) => {
    expect(resolve(text)).toMatchObject({ ok: false })
  })
})
