import { arbitrum, base, mainnet, optimism, robinhood } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import * as Addresses from '../values/Addresses.js'
import * as Chains from './Chains.js'

describe('Chains.idOf', () => {
  test.each([
    ['8453', 8_453],
    ['base', 8_453],
    ['1', 1],
    ['eth', 1],
    ['10', 10],
    ['optimism', 10],
    ['42161', 42_161],
    ['arbitrum', 42_161],
    ['4663', 4_663],
    ['robinhood', 4_663],
    ['31337', 31_337],
  ])('default: %s is chain %i', (text, chainId) => {
    expect(Chains.idOf(text)).toBe(chainId)
  })

  test.each([
    '',
    'Base',
    'BASE',
    ' base',
    'base ',
    'ethereum',
    '01',
    '+1',
    '-1',
    '0',
    '1.0',
    '1e0',
    '0x1',
    '8453n',
    '１',
    'constructor',
    '__proto__',
    'toString',
    '9'.repeat(16),
  ])('error: %j is not a chain', (text) => {
    expect(Chains.idOf(text)).toBeUndefined()
  })
})

describe('Chains.all', () => {
  test('behavior: explorers are those of an independent source', () => {
    const others = { 8453: base, 1: mainnet, 10: optimism, 42161: arbitrum, 4663: robinhood }
    expect(Chains.all.map((chain) => chain.explorer)).toEqual(
      Chains.all.map(({ chainId }) => others[chainId as 1].blockExplorers.default.url),
    )
  })

  test('behavior: every address has its checksum', () => {
    for (const { usdc, wrappedNative } of Chains.all)
      expect([Addresses.parse(usdc), Addresses.parse(wrappedNative)]).toEqual([
        { ok: true, address: usdc },
        { ok: true, address: wrappedNative },
      ])
  })
})
