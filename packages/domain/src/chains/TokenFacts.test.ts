import { expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import * as TokenFacts from './TokenFacts.js'

test('default: the well-known tokens, then SLU where it exists', () => {
  const symbolsOn = (chainId: number) =>
    TokenFacts.pinned(registry.get(chainId)!).map(({ symbol }) => symbol)
  expect(symbolsOn(8_453)).toEqual(['WETH', 'USDC', 'DAI', 'USDbC', 'cbBTC', 'SLU'])
  expect(symbolsOn(42_161)).toEqual(['WETH', 'USDC', 'DAI', 'USDT', 'WBTC'])
})

test('behavior: the native coin is not its wrapped token', () => {
  const find = () => TokenFacts.pinned(registry.get(8_453)!)[0]
  const of = (isNative: boolean) => TokenFacts.ofSide({ address: tokens.weth, isNative }, find)
  expect(of(true)).toEqual({ symbol: 'ETH', decimals: 18, source: 'pinned' })
  expect(of(false)).toMatchObject({ symbol: 'WETH', decimals: 18, source: 'pinned' })
})
