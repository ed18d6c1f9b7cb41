import { describe, expect, test } from 'vitest'
import { tokens } from '../../domain/test/deployments.js'
import { planOf } from '../../engine/test/fakeNode.js'
import { ask, startService } from '../test/harness.js'

const path = '/api/tokens?chain=base'
const none = { rpcUrls: new Map([[8453, ['http://127.0.0.1:1']]]) }
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const listed = {
  chainId: 8_453,
  address: '0x00000000000000000000000000000000000000C1',
  symbol: 'AERO',
  name: 'Aerodrome',
  decimals: 18,
  logo: { path: '/logos/abc.png', type: 'image/png', bytes: png },
} as const

const weth = {
  address: tokens.weth,
  symbol: 'WETH',
  name: 'Wrapped Ether',
  decimals: 18,
  source: 'pinned',
  logo: null,
}

describe('GET /api/tokens', () => {
  test('default: the well-known tokens and the lists of the operator', async () => {
    const elsewhere = { ...listed, chainId: 1 }
    const { url } = await startService({ tokenLists: [listed, elsewhere] })
    const { body, status } = await ask(url + path)
    const rows = body['tokens'] as { symbol: string }[]
    expect([status, body['chainId'], body['leftOut'], body['complete']]).toEqual([
      200,
      8_453,
      0,
      true,
    ])
    expect(rows.map(({ symbol }) => symbol)).toEqual([
      'WETH',
      'USDC',
      'DAI',
      'USDbC',
      'cbBTC',
      'SLU',
      'AERO',
    ])
    expect(rows[0]).toEqual(weth)
    const { chainId: _, logo, ...facts } = listed
    expect(rows.at(-1)).toEqual({ ...facts, source: 'list', logo: logo.path })
  })

  test('behavior: 304 for a caller that has the list', async () => {
    const { url } = await startService()
    const headers = { 'accept-encoding': 'identity' }
    const first = await fetch(url + path, { headers })
    const etag = first.headers.get('etag')!
    const again = await fetch(url + path, { headers: { ...headers, 'if-none-match': etag } })
    expect([first.status, again.status, await again.text()]).toEqual([200, 304, ''])
  })

  test('behavior: a picture of a list comes from the service, and no other path', async () => {
    const { url } = await startService({ tokenLists: [listed] })
    const answer = await fetch(url + listed.logo.path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await ask(`${url}/logos/abd.png`)).status).toBe(404)
  })

  test('behavior: a list without nodes has no connector tokens, and says so', async () => {
    const { url } = await startService(none)
    const { body, status } = await ask(url + path)
    expect([status, body['complete']]).toEqual([200, false])
  })

  test('behavior: at most 1,000 tokens; the rest is counted', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => ({
      ...{ chainId: 8_453, symbol: `T${index}`, name: 'T', decimals: 18 },
      address: `0x${(index + 4_096).toString(16).padStart(40, '0')}` as `0x${string}`,
    }))
    const { url } = await startService({ tokenLists: many })
    const { body } = await ask(url + path)
    expect([(body['tokens'] as unknown[]).length, body['leftOut']]).toEqual([1_000, 206])
  })

  test('behavior: only the tokens of the query, in its order, without a node', async () => {
    const { node, url } = await startService({ tokenLists: [listed] })
    const { body } = await ask(`${url}${path}&tokens=DAI,${listed.address.toLowerCase()},WETH`)
    const rows = body['tokens'] as { symbol: string }[]
    expect(rows.map(({ symbol }) => symbol)).toEqual(['DAI', 'AERO', 'WETH'])
    expect(rows.at(-1)).toEqual(weth)
    expect(node.calls.get('eth_call')).toBeUndefined()
  })

  test('error: 502 if no node can read an unlisted token; it is not called no token', async () => {
    const { url } = await startService(none)
    const { body, status } = await ask(`${url}${path}&tokens=${listed.address}`)
    expect([status, body['code']]).toEqual([502, 'rpc_unreachable'])
  })

  test.each([
    ['', 400, 'bad_chain'],
    ['?chain=1', 400, 'bad_chain'],
    ['?chain=base&chain=base', 400, 'bad_param'],
    ['?chain=base&token=WETH', 400, 'bad_param'],
    ['?chain=base&tokens=', 400, 'bad_token'],
    ['?chain=base&tokens=0x12', 400, 'bad_token'],
    ['?chain=base&tokens=WETH,,DAI', 400, 'bad_token'],
    ['?chain=base&tokens=MOSS', 422, 'unresolved'],
    ['?chain=base&tokens=USD\u0421', 422, 'unresolved'],
    [`?chain=base&tokens=${Array(21).fill('WETH')}`, 400, 'bad_token'],
  ])('error: refuses "%s"', async (query, expected, code) => {
    const { url } = await startService()
    const { body, status } = await ask(`${url}/api/tokens${query}`)
    expect([status, body['code']]).toEqual([expected, code])
  })
})

describe('GET /api/price', () => {
  /** Pools that sell two WETH base units for one of USDC, and buy them back for `back` in 10,000. */
  const market = (back: bigint) => (asked: Parameters<typeof planOf>[0]) => {
    const isPurchase = asked.tokenIn.toLowerCase() === tokens.usdc.toLowerCase()
    const { amountIn } = asked
    const grossOut = isPurchase ? amountIn * 2n : (amountIn * back) / 20_000n
    return planOf(asked, { grossOut })
  }

  async function priceOf(back: bigint, names = 'WETH') {
    const { node, url } = await startService()
    node.plan = market(back)
    const answer = await ask(`${url}/api/price?chain=base&tokens=${names}`)
    return { ...answer, node, rows: answer.body['prices'] as Record<string, unknown>[] }
  }

  test('default: the mean of a purchase and a sale, with the block of the sale', async () => {
    const { body, node, rows, status } = await priceOf(9_801n)
    expect([status, body['currency'], body['probeUsd']]).toEqual([200, 'USD', 1_000])
    const { hash, number } = rows[0]!['block'] as { hash: string; number: number }
    expect([number, hash]).toEqual([node.head, expect.stringMatching(/^0x[0-9a-f]{64}$/)])
    expect(rows).toEqual([
      {
        token: 'WETH',
        address: tokens.weth,
        symbol: 'WETH',
        decimals: 18,
        source: 'pinned',
        usd: '495000000000',
        buyUsd: '500000000000',
        sellUsd: '490050000000',
        reason: null,
        block: { hash, number, timestamp: node.genesis + 2 * node.head },
      },
    ])
  })

  test('behavior: USDC is the unit, and ETH is priced as its wrapped token', async () => {
    const { rows } = await priceOf(10_000n, 'USDC,ETH')
    expect(rows.map(({ block, symbol, usd }) => [symbol, usd, block !== null])).toEqual([
      ['USDC', '1', false],
      ['ETH', '500000000000', true],
    ])
  })

  test.each([
    [9_499n, 'shallow'],
    [10_201n, 'inconsistent'],
  ])('behavior: null if %s of 10,000 come back', async (back, reason) => {
    const { rows, status } = await priceOf(back)
    expect([status, rows[0]!['usd'], rows[0]!['reason']]).toEqual([200, null, reason])
  })

  test('behavior: null without a route', async () => {
    const { node, url } = await startService()
    node.plan = (asked) => planOf(asked, { verdict: 1 })
    const { body, status } = await ask(`${url}/api/price?chain=base&tokens=WETH`)
    expect([status, body['prices']]).toMatchObject([200, [{ usd: null, reason: 'no_route' }]])
  })

  test('behavior: repeated requests ask no node, and identical tokens are quoted once', async () => {
    const { node, url } = await startService()
    node.plan = market(10_000n)
    const first = await ask(`${url}/api/price?chain=base&tokens=WETH,ETH,WETH`)
    const again = await ask(`${url}/api/price?chain=base&tokens=WETH,ETH,WETH`)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(node.calls.get('eth_call')).toBe(2)
  })

  test('behavior: a price that is kept costs one point, and another the two quotes', async () => {
    const { node, url } = await startService({ rateLimit: 1e-9, rateBurst: 200 })
    node.plan = market(10_000n)
    const left = async (query: string) => {
      const { headers } = await ask(`${url}/api/price?chain=base&tokens=${query}`)
      return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    }
    expect([await left('WETH'), await left('WETH'), await left('USDC')]).toEqual([189, 188, 187])
  })

  test('error: 502 if a node fails; a failed read is no price', async () => {
    const { url } = await startService(none)
    const { body, status } = await ask(`${url}/api/price?chain=base&tokens=WETH`)
    expect([status, body['code'], body['prices']]).toEqual([502, 'rpc_unreachable', undefined])
  })

  test.each([
    ['chain=base', 400, 'bad_token'],
    ['chain=1&tokens=WETH', 400, 'bad_chain'],
    ['chain=base&tokens=MOSS', 422, 'unresolved'],
    [`chain=base&tokens=${Array(11).fill('WETH')}`, 400, 'bad_token'],
  ])('error: refuses "%s"', async (query, expected, code) => {
    const { url } = await startService()
    const { body, status } = await ask(`${url}/api/price?${query}`)
    expect([status, body['code']]).toEqual([expected, code])
  })
})
