import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import * as SwapWay from './SwapWay.js'

const first = registry.get(8_453)!
const second = { ...first, version: '2.0.0' }
const eth = { address: tokens.weth, isNative: true }
const weth = { address: tokens.weth, isNative: false }
const usdc = { address: tokens.usdc, isNative: false }
const sender = '0x00000000000000000000000000000000000000AA'

describe('SwapWay.of', () => {
  test('default: 1.0.0 only uses allowances', () => {
    const trades = [
      [weth, usdc],
      [eth, usdc],
      [usdc, eth],
    ] as const
    for (const [tokenIn, tokenOut] of trades)
      expect(SwapWay.of({ chain: first, tokenIn, tokenOut })).toBe('allowance')
  })

  test('behavior: 2.0.0 takes and pays native coin, and takes signatures', () => {
    const chain = second
    expect(SwapWay.of({ chain, tokenIn: eth, tokenOut: usdc })).toBe('nativeIn')
    expect(SwapWay.of({ chain, tokenIn: usdc, tokenOut: eth })).toBe('nativeOut')
    expect(SwapWay.of({ chain, tokenIn: weth, tokenOut: usdc })).toBe('allowance')
    expect(SwapWay.of({ chain, tokenIn: usdc, tokenOut: weth, signature: 'permit2' })).toBe(
      'permit2',
    )
  })

  test('behavior: returns the spender that needs the allowance', () => {
    const { router } = first.contracts
    expect(SwapWay.spenderOf('allowance', router)).toBe(router)
    expect(SwapWay.spenderOf('nativeOut', router)).toBe(router)
    expect(SwapWay.spenderOf('permit2', router)).toBe(SwapWay.permit2Address)
    expect(SwapWay.spenderOf('nativeIn', router)).toBeUndefined()
    expect(SwapWay.spenderOf('permit', router)).toBeUndefined()
  })
})

describe('SwapWay.signatureProblem', () => {
  test('default: accepts a signature for a token on 2.0.0', () => {
    const trade = { chain: second, sender, tokenIn: usdc, tokenOut: weth } as const
    expect(SwapWay.signatureProblem(trade)).toBeUndefined()
  })

  test.each([
    ['version', { chain: first }, 'needs `version=2`'],
    ['sender', { sender: undefined }, 'needs `sender`'],
    ['native in', { tokenIn: eth }, 'cannot be combined with `in=ETH`'],
    ['native out', { tokenOut: eth }, 'cannot be combined with `out=ETH`'],
  ])('error: %s', (_, changes, reason) => {
    const trade = { chain: second, sender, tokenIn: usdc, tokenOut: weth, ...changes } as const
    expect(SwapWay.signatureProblem(trade)).toContain(reason)
  })
})
