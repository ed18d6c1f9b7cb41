import { afterEach, describe, expect, test } from 'vitest'
import { quoteBody } from '../../sdk/test/service.js'
import { connect } from '../test/connect.js'
import { boundResult, halving, maxResultLength, removing } from './boundResult.js'

const row = { text: 'x'.repeat(1_000) }
const cuts = [halving(['rows', 'list'], 'ask for the rows'), removing(['extra'], 'ask for more')]

describe('boundResult', () => {
  test('default: a short result stays whole', () => {
    const result = { rows: { list: [row, row] }, extra: 1 }
    expect(boundResult(result, cuts)).toBe(result)
  })

  test('behavior: halves a list until the result is short enough, and says how to get the rest', () => {
    const result = { ok: true, rows: { list: Array(100).fill(row), other: 7 }, extra: 1 }
    expect(boundResult(result, cuts)).toEqual({
      ok: true,
      rows: { list: Array(25).fill(row), other: 7 },
      extra: 1,
      omitted: [{ member: 'rows.list', count: 75, how: 'ask for the rows' }],
    })
  })

  test('behavior: cuts in the given order', () => {
    const result = { rows: { list: [row] }, extra: 'x'.repeat(maxResultLength) }
    expect(boundResult(result, cuts)).toEqual({
      rows: { list: [] },
      omitted: [
        { member: 'rows.list', count: 1, how: 'ask for the rows' },
        { member: 'extra', count: 1, how: 'ask for more' },
      ],
    })
  })

  test('error: too long without anything to leave out', () => {
    expect(() => boundResult({ text: 'x'.repeat(maxResultLength) }, cuts)).toThrow(
      /^The result has 40011 characters; the maximum is 40000\.$/,
    )
  })
})

describe('tools', () => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close()
  })

  async function call(name: string, args: object, answers: Readonly<Record<string, unknown>>) {
    const { client } = await connect(answers)
    open.push(client)
    const { content, structuredContent } = await client.callTool({ name, arguments: { ...args } })
    const { text } = (content as { text: string }[])[0]!
    expect(text.length).toBeLessThanOrEqual(maxResultLength)
    return structuredContent as Record<string, unknown>
  }

  const side = {
    token: quoteBody.tokenIn,
    reported: '1',
    onchain: '1',
    deltaBps: 0,
    balance: '1',
    decimals: 18,
  }
  const pool = {
    pair: `0x${'ab'.repeat(32)}`,
    dex: 'd'.repeat(32),
    method: 'balanceOf',
    base: { ...side, reported: '1'.repeat(900), onchain: '1'.repeat(900) },
    quote: side,
    reportedUsd: 1,
    onchainUsd: 1,
    phantomBps: 0,
    verdict: 'real',
  }

  test('default: an x-ray of a token with hundreds of pools', async () => {
    const tax = { buyBps: 0, sellBps: 0, transferBps: 0, reason: null, rpcRequests: [] }
    const summary = {
      pools: 500,
      compared: 500,
      reportedUsd: 1,
      onchainUsd: 1,
      phantomUsd: 0,
      phantomBps: 0,
      verdict: 'real',
    }
    const report = {
      ...{
        ok: true,
        chainId: 8453,
        token: quoteBody.tokenIn,
        source: 's',
        blockNumber: 1,
        readAt: 1,
      },
      ...{ toleranceBps: 1, summary, pools: Array(500).fill(pool), tax, curl: 'x'.repeat(200_000) },
      rpcRequest: { jsonrpc: '2.0', id: 1, method: 'eth_call', params: ['0'.repeat(200_000)] },
    }
    const { omitted, pools, poolsOmitted } = await call(
      'xray_token',
      { chain: 'base', token: 'WETH' },
      { '/api/xray': report },
    )
    expect([(pools as []).length, poolsOmitted]).toEqual([10, 480])
    expect(omitted).toEqual([{ member: 'pools', count: 10, how: 'GET /api/xray' }])
  })

  test('default: ten quotes with long routes: the last ones are errors that say how to get them', async () => {
    const [leg] = quoteBody.route.legs
    const long = { ...quoteBody, route: { ...quoteBody.route, legs: Array(30).fill(leg) } }
    const trade = { chain: 'base', in: 'WETH', out: 'USDC', amount: '1', amountUnit: 'human' }
    const { count, omitted, results } = await call(
      'get_quotes',
      { requests: Array(10).fill(trade) },
      { '/api/quote/batch': { ok: true, count: 10, results: Array(10).fill(long) } },
    )
    const oks = (results as { ok: boolean; code?: string }[]).map(({ code, ok }) =>
      ok ? ok : code,
    )
    const whole = oks.filter((each) => each === true).length
    expect(whole).toBeGreaterThan(2)
    expect(oks).toEqual([...Array(whole).fill(true), ...Array(10 - whole).fill('too_large')])
    expect([count, omitted]).toEqual([
      10,
      [{ member: 'results', count: 10 - whole, how: 'get_quote for this trade' }],
    ])
  })
})
