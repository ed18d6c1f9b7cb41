import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import * as Chains from './Chains.js'
import * as KnownTokens from './KnownTokens.js'
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
  ])('default: %s resolves to %s', (text, address, isNative) => {
    expect(resolve(text)).toEqual({ ok: true, token: { address, isNative } })
  })

  test('error: SLU on a chain without it', () => {
    expect(resolve('SLU', arbitrum)).toEqual({
      ok: false,
      reason: 'SLU does not exist on Arbitrum',
      isUnresolved: false,
    })
  })

  test('error: USDC on a chain with another stablecoin, which has a symbol of its own', () => {
    const robinhood = { ...arbitrum, ...Chains.robinhood, slu: null }
    expect(resolve('USDC', robinhood)).toEqual({
      ok: false,
      reason: 'USDC is not issued on Robinhood Chain; send USDG or a token address',
      isUnresolved: false,
    })
    expect(resolve('usdg', robinhood)).toMatchObject({ token: { address: Chains.robinhood.usdc } })
  })

  test.each([
    ['DAI', base],
    ['dai', base],
    ['cbbtc', base],
    ['USDT', arbitrum],
  ])('default: %s resolves to a well-known token of the chain', (text, chain) => {
    const known = KnownTokens.find(chain, text)!
    const { address, name, symbol } = known
    expect(resolve(text, chain)).toEqual({
      ok: true,
      token: { address, isNative: false, resolved: { symbol, name, liquidityUsd: null } },
    })
  })

  test.each([
    ['DOGE', "is not on the chain's own list of symbols"],
    ['cbETH', "is not on the chain's own list of symbols"],
    ['USDT', "is not on the chain's own list of symbols"],
    ['U5DC', 'looks like USDC but is another symbol'],
    ['VVETH', 'looks like WETH but is another symbol'],
    ['3TH', 'looks like ETH but is another symbol'],
    ['$USDC', 'looks like USDC but is another symbol'],
    ['DA1', 'looks like DAI but is another symbol'],
    ['cbBTC.', 'looks like cbBTC but is another symbol'],
    ['USD\u0421', 'has characters other than A-Z, a-z, 0-9 and .$_+-, as look-alike symbols do'],
  ])('error: %s is unresolved', (text, reason) => {
    expect(resolve(text)).toEqual({
      ok: false,
      reason: `${reason}; pass the token's address`,
      isUnresolved: true,
    })
  })

  test.each(['0x0000000000000000000000000000000000000000', `0x${'Ee'.repeat(20)}`.toLowerCase()])(
    'error: %s, which other services use for the native coin',
    (text) => {
      expect(resolve(text)).toEqual({
        ok: false,
        reason: 'is not a token; send ETH for the native coin',
        isUnresolved: false,
      })
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
  ])('error: %j is not a token', (text) => {
    expect(resolve(text)).toMatchObject({ ok: false })
  })
})
