import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeMarket, startFakeMarket } from '../../test/fakeMarket.js'
import { maxBytes } from './fetchJson.js'
import { openSources } from './openSources.js'

const token = '0x940181a94A35A4569E4529A3CDfB74e38FD98631'
const weth = '0x4200000000000000000000000000000000000006'
const pool = '0x6cDcb1C4A4D1C3C6d054b27AC5B77e89eAFb971d'
const id = `0x${'ab'.repeat(32)}` as const

let market: FakeMarket
beforeEach(async () => {
  market = await startFakeMarket()
})
afterEach(() => market.close())

const sourceOf = (kind: 'dexscreener' | 'geckoterminal') =>
  openSources([{ kind, url: market.url }])[0]!

/** A row as in Dexscreener's API documentation. */
const row = {
  chainId: 'base',
  dexId: 'aerodrome',
  url: 'https://dexscreener.com/base/0x6cdc',
  pairAddress: pool,
  labels: ['v2'],
  baseToken: { address: token.toLowerCase(), name: 'Aerodrome', symbol: 'AERO' },
  quoteToken: { address: weth, name: 'Wrapped Ether', symbol: 'WETH' },
  priceNative: '0.0003407',
  priceUsd: '0.92',
  txns: { h24: { buys: 1, sells: 2 } },
  volume: { h24: 3.5 },
  priceChange: {},
  liquidity: { usd: 1_840_000.5, base: 1_000_000, quote: 340.74 },
  fdv: null,
  pairCreatedAt: 1_728_468_437_000,
}
const pair = {
  pair: pool,
  dex: 'aerodrome',
  base: { address: token, name: 'Aerodrome', symbol: 'AERO' },
  quote: { address: weth, name: 'Wrapped Ether', symbol: 'WETH' },
  baseReserve: 1_000_000,
  quoteReserve: 340.74,
  basePriceUsd: 0.92,
  quotePriceUsd: 0.92 / 0.0003407,
  liquidityUsd: 1_840_000.5,
}

describe('dexscreener', () => {
  test('default: the pools of a token', async () => {
    market.answer = [row]
    expect(await sourceOf('dexscreener').pairsOf(8_453, token)).toEqual([pair])
    expect(market.asked).toEqual([`/token-pairs/v1/base/${token}`])
  })

  test('default: the pools with a symbol, in any case', async () => {
    market.answer = { schemaVersion: '1.0.0', pairs: [row, { ...row, chainId: 'solana' }] }
    expect(await sourceOf('dexscreener').search(8_453, 'aEro')).toEqual([pair])
    expect(market.asked).toEqual(['/latest/dex/search?q=aEro'])
  })

  test('behavior: no pools', async () => {
    expect(await sourceOf('dexscreener').pairsOf(8_453, token)).toEqual([])
    market.answer = { pairs: null }
    expect(await sourceOf('dexscreener').search(8_453, 'AERO')).toEqual([])
  })

  test.each([
    ['missing', undefined],
    ['null', null],
    ['a string', 'much'],
    ['negative', { usd: -1, base: -1, quote: -1 }],
    ['null inside', { usd: null, base: null, quote: null }],
    ['too large for a number', { usd: '1e999', base: '1', quote: [] }],
  ])('behavior: liquidity that is %s is unknown', async (_, liquidity) => {
    market.answer = [{ ...row, liquidity, priceUsd: null }]
    expect(await sourceOf('dexscreener').pairsOf(8_453, token)).toEqual([
      {
        ...pair,
        baseReserve: undefined,
        quoteReserve: undefined,
        basePriceUsd: undefined,
        quotePriceUsd: undefined,
        liquidityUsd: undefined,
      },
    ])
  })

  test.each([
    ['of another chain', { chainId: 'ethereum' }],
    ['without the token', { baseToken: { ...row.baseToken, address: `0x${'1'.repeat(40)}` } }],
    ['of a token with itself', { quoteToken: row.baseToken }],
    [
      'with the native coin in a pool contract of its own',
      { quoteToken: { ...row.quoteToken, address: `0x${'0'.repeat(40)}` } },
    ],
    ['with a malformed address', { pairAddress: '0x1' }],
    ['with a name as address', { pairAddress: 'pool.eth' }],
    ['without tokens', { baseToken: null }],
  ])('behavior: a row %s is left out', async (_, changes) => {
    market.answer = [null, 7, 'row', [], { ...row, ...changes }]
    expect(await sourceOf('dexscreener').pairsOf(8_453, token)).toEqual([])
  })

  test('behavior: a pool in a shared contract is kept under its id', async () => {
    const native = { address: `0x${'0'.repeat(40)}`, name: 'Ether', symbol: 'ETH' }
    market.answer = [
      { ...row, pairAddress: id.toUpperCase().replace('0X', '0x'), quoteToken: native },
    ]
    const [found] = await sourceOf('dexscreener').pairsOf(8_453, token)
    expect(found).toEqual({ ...pair, pair: id, quote: native })
  })

  test('behavior: each pool once, at most thirty, with limited texts', async () => {
    market.answer = Array.from({ length: 100 }, (_, index) => ({
      ...row,
      pairAddress: `0x${(index >> 1).toString(16).padStart(40, '1')}`,
      dexId: 'x'.repeat(65),
    }))
    const found = await sourceOf('dexscreener').pairsOf(8_453, token)
    expect(new Set(found.map((each) => each.pair)).size).toBe(30)
    expect(found).toHaveLength(30)
    expect(found[0]!.dex).toBeUndefined()
  })

  test('error: an unsupported chain', async () => {
    await expect(sourceOf('dexscreener').pairsOf(31_337, token)).rejects.toMatchObject({
      failure: 'unsupported',
    })
    expect(market.asked).toEqual([])
  })
})

describe('geckoterminal', () => {
  const reference = (address: string, network = 'base') => ({
    data: { id: `${network}_${address.toLowerCase()}`, type: 'token' },
  })
  const attributes = {
    address: pool.toLowerCase(),
    name: 'AERO / WETH 0.3%',
    base_token_price_usd: '0.92',
    quote_token_price_usd: '2700.10',
    reserve_in_usd: '1840000.5',
    base_token_balance: '1000000.0',
    quote_token_balance: '340.74',
    market_cap_usd: null,
  }
  const relationships = {
    base_token: reference(token),
    quote_token: reference(weth),
    dex: { data: { id: 'aerodrome', type: 'dex' } },
  }
  const data = [{ id: `base_${pool}`, type: 'pool', attributes, relationships }]
  const included = [
    {
      id: `base_${token.toLowerCase()}`,
      type: 'token',
      attributes: { name: 'Aerodrome', symbol: 'AERO' },
    },
    { id: `base_${weth}`, type: 'token', attributes: { name: 'Wrapped Ether', symbol: 'WETH' } },
  ]

  test('default: the pools of a token', async () => {
    market.answer = { data, included }
    expect(await sourceOf('geckoterminal').pairsOf(8_453, token)).toEqual([
      { ...pair, quotePriceUsd: 2_700.1 },
    ])
    expect(market.asked[0]).toMatch(`/networks/base/tokens/${token}/pools?include=base_token`)
  })

  test('behavior: without a composition the reserves are unknown', async () => {
    const { base_token_balance: _, quote_token_balance: __, ...rest } = attributes
    market.answer = { data: [{ attributes: rest, relationships }], included }
    expect((await sourceOf('geckoterminal').pairsOf(8_453, token))[0]).toMatchObject({
      baseReserve: undefined,
      quoteReserve: undefined,
      liquidityUsd: 1_840_000.5,
    })
  })

  test('behavior: takes symbols from the included tokens', async () => {
    market.answer = { data, included }
    expect(await sourceOf('geckoterminal').search(8_453, 'AERO')).toHaveLength(1)
    expect(market.asked[0]).toMatch('/search/pools?query=AERO&network=base&')
    market.answer = { data }
    expect(await sourceOf('geckoterminal').search(8_453, 'AERO')).toEqual([])
  })

  test('behavior: ignores tokens of another network', async () => {
    const foreign = { ...relationships, quote_token: reference(weth, 'eth') }
    market.answer = { data: [{ attributes, relationships: foreign }], included }
    expect(await sourceOf('geckoterminal').pairsOf(8_453, token)).toEqual([])
  })
})

describe('a malformed response', () => {
  const cases: [string, string, Parameters<typeof startFakeMarket>[0]][] = [
    ['an object instead of a list', 'bad_response', {}],
    ['a string', 'bad_response', 'pairs'],
    ['nothing', 'bad_response', null],
  ]
  test.each(cases)('error: %s', async (_, failure, answer) => {
    market.answer = answer
    for (const kind of ['dexscreener', 'geckoterminal'] as const)
      await expect(sourceOf(kind).pairsOf(8_453, token)).rejects.toMatchObject({ failure })
  })

  test.each([
    ['not JSON', 'bad_response', 200, '<html>'],
    ['a redirect', 'status', 302, '[]'],
    ['an error', 'status', 500, '[]'],
    ['too much', 'too_large', 200, ' '.repeat(maxBytes + 1)],
    ['deeply nested arrays', 'bad_response', 200, '['.repeat(100_000)],
  ])('error: %s', async (_, failure, status, body) => {
    market.listen = (_request, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' })
      response.end(body)
    }
    await expect(sourceOf('dexscreener').pairsOf(8_453, token)).rejects.toMatchObject({ failure })
  })

  test('error: a connection that breaks', async () => {
    market.listen = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('[')
      setTimeout(() => response.destroy(), 10)
    }
    await expect(sourceOf('dexscreener').pairsOf(8_453, token)).rejects.toMatchObject({
      failure: 'connect',
    })
  })

  test('error: a body that never ends runs into the time limit', async () => {
    market.listen = (_request, response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    }
    await expect(sourceOf('dexscreener').pairsOf(8_453, token)).rejects.toMatchObject({
      failure: 'timeout',
    })
  })

  test('error: does not contain the URL', async () => {
    const [source] = openSources([{ kind: 'dexscreener', url: 'https://SECRET.invalid/KEY' }])
    const error = await source!.pairsOf(8_453, token).catch((caught: unknown) => caught)
    expect(JSON.stringify(error) + (error as Error).stack).not.toMatch(/SECRET|KEY/)
  })
})

test('behavior: only valid rows pass, for any JSON', async () => {
  const noise = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        chainId: fc.constantFrom('base', 'ethereum', 7),
        pairAddress: fc.constantFrom(pool, id, '', 'x', 5),
        baseToken: fc.oneof(fc.constant(row.baseToken), fc.jsonValue()),
        quoteToken: fc.oneof(fc.constant(row.quoteToken), fc.jsonValue()),
        liquidity: fc.jsonValue(),
        priceUsd: fc.jsonValue(),
        priceNative: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { maxLength: 5 }), async (rows) => {
      market.answer = rows
      for (const each of await sourceOf('dexscreener').pairsOf(8_453, token)) {
        expect(each.pair).toMatch(/^0x([0-9a-fA-F]{40}|[0-9a-f]{64})$/)
        expect([each.base.address, each.quote.address]).toContain(token)
        for (const number of [each.baseReserve, each.liquidityUsd, each.basePriceUsd])
          expect(number === undefined || (Number.isFinite(number) && number >= 0)).toBe(true)
      }
    }),
    { numRuns: 300, seed: 6 },
  )
})
