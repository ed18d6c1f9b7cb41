import { describe, expect, test } from 'vitest'
import { tokens } from '../../domain/test/deployments.js'
import { type FakeNode, planOf } from '../../engine/test/fakeNode.js'
import { ask, post, quotePath, startService } from '../test/harness.js'

const unlisted = '0x00000000000000000000000000000000000000C1'
const weth = { symbol: 'WETH', decimals: 18, source: 'pinned' }
const usdc = { symbol: 'USDC', decimals: 6, source: 'pinned' }

/** Pools on which a base unit of USDC is worth two of any other token, without fees. */
const fair: FakeNode['plan'] = (asked) => {
  const isPurchase = asked.tokenIn.toLowerCase() === tokens.usdc.toLowerCase()
  const { amountIn } = asked
  return planOf(asked, { grossOut: isPurchase ? amountIn * 2n : amountIn / 2n })
}

describe('tokens of a quote', () => {
  test('default: symbol and decimals of both', async () => {
    const { node, url } = await startService()
    const { body } = await ask(url + quotePath)
    expect(body['tokens']).toEqual({ in: weth, out: usdc })
    expect(body['usd']).toBeUndefined()
    expect(node.calls.get('eth_call')).toBe(1)
  })

  test('behavior: the native coin has its own symbol', async () => {
    const { url } = await startService()
    const { body } = await ask(`${url}/api/quote?chain=base&in=ETH&out=DAI&amountIn=1000000`)
    expect(body['tokens']).toMatchObject({ in: { symbol: 'ETH' }, out: { symbol: 'DAI' } })
  })

  test('behavior: a token of a list', async () => {
    const listed = {
      chainId: 8_453,
      address: unlisted,
      symbol: 'AERO',
      name: 'A',
      decimals: 9,
    } as const
    const { url } = await startService({ tokenLists: [listed] })
    const path = `/api/quote?chain=base&in=${unlisted}&out=USDC&amountIn=1000000`
    const { body } = await ask(url + path)
    expect(body['tokens']).toEqual({
      in: { symbol: 'AERO', decimals: 9, source: 'list' },
      out: usdc,
    })
  })

  test('behavior: a quote does not fail for a token that cannot be read', async () => {
    const { url } = await startService()
    const path = `/api/quote?chain=base&in=${unlisted}&out=USDC&amountIn=1000000`
    const { body, status } = await ask(url + path)
    expect([status, body['tokens']]).toEqual([200, { out: usdc }])
  })
})

describe('usd=1', () => {
  test('default: the value of both amounts', async () => {
    const { node, url } = await startService()
    node.plan = fair
    const { body } = await ask(`${url}${quotePath}&usd=1`)
    // 1,000,000 base units of WETH are worth 500,000 of USDC; the fee of 28 bps leaves 498,600.
    expect([body['amountOut'], body['usd']]).toEqual(['498600', { in: '0.5', out: '0.4986' }])
    const again = await ask(`${url}${quotePath}&usd=1`)
    expect([again.body['usd'], node.calls.get('eth_call')]).toEqual([body['usd'], 3])
  })

  test('behavior: null for a token without a proven price', async () => {
    const { url } = await startService()
    const { body, status } = await ask(`${url}${quotePath}&usd=1`)
    expect([status, body['usd']]).toMatchObject([200, { in: null }])
  })

  test('behavior: items of a batch, as flags or text', async () => {
    const { node, url } = await startService()
    node.plan = fair
    const item = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1000000' }
    const requests = [
      { ...item, usd: true },
      { ...item, usd: false },
      { ...item, amountIn: '0' },
    ]
    const { body } = await post(`${url}/api/quote/batch`, { requests })
    const results = body['results'] as Record<string, unknown>[]
    expect(results.map(({ ok, usd }) => [ok, usd])).toEqual([
      [true, { in: '0.5', out: '0.4986' }],
      [true, undefined],
      [false, undefined],
    ])
  })

  test('error: any other value', async () => {
    const { url } = await startService()
    const { body, status } = await ask(`${url}${quotePath}&usd=0`)
    expect([status, body['code'], body['error']]).toEqual([
      400,
      'bad_param',
      '`usd` must be 1 or left out.',
    ])
  })
})
