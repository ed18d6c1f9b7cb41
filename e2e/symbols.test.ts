import type { Devnet } from '@sluice/devnet'
import { KnownTokens } from '@sluice/domain'
import { minDepthUsd } from '@sluice/engine'
import { type RunningServer, startServer } from '@sluice/server'
import fc from 'fast-check'
import { type Address, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chainSpecs } from '../packages/devnet/src/chains.js'
import { seederAbi } from '../packages/devnet/src/generated/seeder.js'
import { seeder } from '../packages/devnet/src/placements.js'
import { clientOf, walletOf } from '../packages/devnet/test/clients.js'
import { type FakeMarket, startFakeMarket } from '../packages/engine/test/fakeMarket.js'
import { createPair, createToken, mined } from './lib/createMarket.js'
import { patience, startDevnet } from './lib/startDevnet.js'
import { startMixedMarket } from './lib/startMixedMarket.js'

let devnet: Devnet
const servers: RunningServer[] = []
const markets: FakeMarket[] = []

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  for (const market of markets.splice(0)) await market.close()
})
afterAll(() => devnet?.stop())

const chain = () => devnet.chains[0]!
const addressOf = (symbol: string) => chain().tokens[symbol]!.address

/** Starts the service on the devnet, with the devnet's market data or another source. */
async function serve(marketUrl: string | null = devnet.marketUrl, changes = {}) {
  const server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map([[8453, [chain().rpcUrl]]]),
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...patience,
    marketData: marketUrl === null ? [] : [{ kind: 'dexscreener', url: marketUrl }],
    ...changes,
  })
  servers.push(server)
  return server.url
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes, asserted member by member.
type Answer = { status: number; body: Record<string, any> }

async function quote(url: string, changes: Record<string, string> = {}): Promise<Answer> {
  const trade = { chain: 'base', in: 'USDC', out: 'WETH', amountIn: '1000000', ...changes }
  const answer = await fetch(`${url}/api/quote?${new URLSearchParams(trade)}`)
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

describe('symbols of the devnet', () => {
  test('default: finds every token with real liquidity, on either side', async () => {
    const url = await serve()
    for (const symbol of ['AERO', 'cbETH', 'wstETH', 'MOSS', 'FERN', 'KELP', 'TIDE']) {
      const { body, status } = await quote(url, { out: symbol.toLowerCase() })
      expect([symbol, status, body['tokenOut']]).toEqual([symbol, 200, addressOf(symbol)])
      expect(body['resolved']).toEqual({
        out: { symbol, address: addressOf(symbol), name: symbol, liquidityUsd: expect.any(Number) },
      })
      expect(body['resolved'].out.liquidityUsd).toBeGreaterThan(minDepthUsd)
    }
    const { body } = await quote(url, { in: 'MOSS', out: 'TIDE', amountIn: `1${'0'.repeat(18)}` })
    expect(body).toMatchObject({ tokenIn: addressOf('MOSS'), tokenOut: addressOf('TIDE') })
    expect(Object.keys(body['resolved'])).toEqual(['in', 'out'])
  })

  test("default: depth is the pools' balance of known tokens, at prices from the chain", async () => {
    const { body } = await quote(await serve(), { out: 'MOSS' })
    const weth = addressOf('WETH')
    const pools = chain().pools.filter(({ token0, token1 }) =>
      [token0, token1].every((symbol) => ['MOSS', 'WETH'].includes(symbol)),
    )
    const held = await Promise.all(
      pools.map(({ address }) =>
        clientOf(chain()).readContract({
          address: weth,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [address],
        }),
      ),
    )
    const { body: price } = await quote(await serve(), {
      in: 'WETH',
      out: 'USDC',
      amountIn: `1${'0'.repeat(18)}`,
    })
    const usd =
      (held.reduce((sum, each) => sum + Number(each), 0) / 1e18) *
      (Number(price['quote'].grossOut) / 1e6)
    expect(body['resolved'].out.liquidityUsd / usd).toBeCloseTo(1, 6)
  })

  test('default: if pools hold no known token, depth is the sale value of the tokens that they hold', async () => {
    const url = await serve(devnet.marketUrl, { poolIndex: ':memory:' })
    const asked = async () => await quote(url, { out: 'BRINE' })
    // The pool index, which knows the route through MOSS, is built when the service starts.
    let answer = await asked()
    for (let tries = 0; answer.status !== 200 && tries < 100; tries++) answer = await asked()
    const { liquidityUsd, ...resolved } = answer.body['resolved'].out
    expect(resolved).toEqual({ symbol: 'BRINE', address: addressOf('BRINE'), name: 'BRINE' })
    expect(liquidityUsd).toBeGreaterThan(minDepthUsd)
    expect(liquidityUsd).toBeLessThan(60_000)
  })

  test("default: the chain's own list needs no market data; with market data, depth is measured", async () => {
    const known = KnownTokens.find(
      { chainId: 8453, usdc: addressOf('USDC'), wrappedNative: addressOf('WETH') },
      'DAI',
    )!
    const alone = await quote(await serve(null), { out: 'dai' })
    const resolved = { symbol: 'DAI', name: 'Dai Stablecoin', address: known.address }
    expect(alone.body['resolved']).toEqual({ out: { ...resolved, liquidityUsd: null } })
    const measured = await quote(await serve(), { out: 'DAI' })
    expect(measured.body['resolved']).toEqual({
      out: { ...resolved, liquidityUsd: expect.any(Number) },
    })
    const reserved = await quote(await serve(), { in: 'ETH', out: 'USDC' })
    expect(reserved.body).not.toHaveProperty('resolved')
  })

  test('default: in a batch, each item is resolved separately', async () => {
    const url = await serve()
    const item = { chain: 'base', in: 'USDC', out: 'MOSS', amountIn: '1000000' }
    const requests = [
      item,
      { ...item, out: 'MIRAGE' },
      { ...item, out: 'NOSUCH' },
      { ...item, out: 'WETH' },
    ]
    const answer = await fetch(`${url}/api/quote/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests }),
    })
    const { results } = (await answer.json()) as { results: Answer['body'][] }
    expect(results).toMatchObject([
      { ok: true, resolved: { out: { address: addressOf('MOSS') } } },
      { ok: false, code: 'unresolved' },
      { ok: false, code: 'unresolved' },
      { ok: true },
    ])
  })

  test.each([
    ['MIRAGE', 'is the symbol of no token with at least 10000 USD of real liquidity'],
    ['NOSUCH', 'is the symbol of no token with tradable liquidity'],
    ['PYRE', 'is the symbol of no token with tradable liquidity'],
    ['BLOAT', 'is the symbol of no token with tradable liquidity'],
    ['DA1', 'looks like DAI but is another symbol'],
  ])('error: %s is unresolved, with what to do', async (symbol, why) => {
    const reason = `${why}; pass the token's address`
    expect(await quote(await serve(), { out: symbol })).toEqual({
      status: 422,
      body: {
        ok: false,
        code: 'unresolved',
        error: `\`out\` ${reason}.`,
        details: [{ field: 'out', code: 'unresolved', reason }],
        requestId: expect.any(String),
        retryable: false,
        docs: '/errors/unresolved',
      },
    })
  })

  test('error: there is no market data, or its source does not respond', async () => {
    const reason = "is on no token list for this chain; pass the token's address"
    expect((await quote(await serve(null), { out: 'MOSS' })).body).toMatchObject({
      code: 'unresolved',
      details: [{ reason }],
    })
    const { body, status } = await quote(await serve('http://127.0.0.1:1'), { out: 'MOSS' })
    expect([status, body['code'], body['retryable']]).toEqual([502, 'rpc_unreachable', true])
    expect(body['error']).toMatch(/could not be looked up: no market data source returned/)
    // A symbol of the chain's own list still works.
    expect((await quote(await serve('http://127.0.0.1:1'), { out: 'DAI' })).status).toBe(200)
  })

  test("behavior: the operator's token list takes precedence over market data", async () => {
    const other = {
      chainId: 8453,
      address: addressOf('AERO'),
      symbol: 'MOSS',
      name: 'Ours',
      decimals: 18,
    }
    const url = await serve(devnet.marketUrl, { tokenLists: [other] })
    expect((await quote(url, { out: 'MOSS' })).body).toMatchObject({
      resolved: { out: { address: addressOf('AERO'), symbol: 'MOSS', name: 'Ours' } },
    })
    // Of two listed tokens with one symbol, the one with more liquidity wins.
    const both = [other, { ...other, address: addressOf('MOSS') }]
    const url2 = await serve(devnet.marketUrl, { tokenLists: both })
    expect((await quote(url2, { out: 'MOSS' })).body).toMatchObject({
      tokenOut: addressOf('MOSS'),
    })
  })

  test('behavior: prepare looks up no symbols', async () => {
    const url = await serve()
    const path = `${url}/api/quote/prepare?chain=base&in=USDC&amountIn=1000000&out=`
    expect((await fetch(`${path}DAI`)).status).toBe(200)
    const answer = await fetch(`${path}MOSS`)
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      {
        code: 'unresolved',
        error: "`out` is not on the chain's own list of symbols; pass the token's address.",
      },
    ])
  })
})

describe("foreign tokens under a known token's name", () => {
  const deployToken = (symbol: string) => createToken(devnet, symbol)
  const createPool = (tokens: readonly [Address, Address], amounts: readonly [bigint, bigint]) =>
    createPair(devnet, tokens, amounts)

  const row = (
    pair: Address,
    base: [Address, string],
    quoteToken: [Address, string],
    usd = 1e12,
  ) => ({
    chainId: 'base',
    dexId: 'uniswap',
    pairAddress: pair,
    baseToken: { address: base[0], symbol: base[1], name: base[1] },
    quoteToken: { address: quoteToken[0], symbol: quoteToken[1], name: quoteToken[1] },
    priceNative: '1',
    priceUsd: '1',
    liquidity: { usd, base: usd / 2, quote: usd / 2 },
  })

  /** Starts a market-data source with `rows`, followed by the devnet's own rows. */
  async function withRows(rows: object[]): Promise<string> {
    const market = await startMixedMarket(devnet.marketUrl, rows)
    markets.push(market)
    return market.url
  }

  const lookalikes = [
    ...['USDС', 'UЅDC', 'USDС', 'ՍSDC', 'ＵＳＤＣ', 'US​DC', 'USDC‮', 'uſdc', 'USDⅭ'],
    ...['WЕTH', 'ԜETH', 'WETН', 'ＷＥＴＨ', 'WE‍TH', 'VVETH', 'WE7H', 'W3TH', 'WETH.'],
    ...['ЕTH', '3TH', 'E7H', 'ETH​', 'E­TH', 'DАI', 'DA1', 'D.AI', 'DAl', 'cbBТC', 'cb8TC'],
    ...['USDC ', ' USDC', 'USDC\t', 'US DC', '$USDC', 'U$DC', 'USD-C', 'SLU​', '5LU', 'USDbС'],
    ...['MОSS', 'MO5S​', 'KЕLP', 'TIDЕ', 'ＭＯＳＳ', 'AЕRO', 'FERN‮', 'KELP\0'],
  ]

  test('behavior: a text that only looks like a symbol resolves to no token', async () => {
    expect(lookalikes.length).toBe(47)
    const spoof = await deployToken('USDС')
    const rows = lookalikes.map((text) =>
      row(addressOf('WETH'), [spoof, text], [addressOf('USDC'), 'USDC']),
    )
    const url = await serve(await withRows(rows))
    for (const text of lookalikes) {
      const { body, status } = await quote(url, { in: 'AERO', out: text })
      expect([text, status, body['code']]).toEqual([
        text,
        expect.toBeOneOf([400, 422]),
        expect.toBeOneOf(['unresolved', 'bad_out']),
      ])
    }
  })

  test.each(['MOSS', 'moss'])(
    'behavior: a foreign token with the symbol %s never resolves as MOSS',
    async (symbol) => {
      const [moss, weth, usdc] = [addressOf('MOSS'), addressOf('WETH'), addressOf('USDC')]
      const [fake, worthless] = [await deployToken(symbol), await deployToken('GOLD')]
      const deepest = chain().pools.find(
        ({ kind, token0, token1 }) =>
          kind === 'uniswapV3' && [token0, token1].sort().join() === 'USDC,WETH',
      )!.address
      const shallow = await createPool([fake, weth], [10n ** 24n, 10n ** 17n])
      const made = await createPool([fake, worthless], [10n ** 29n, 10n ** 29n])
      const attacks: Record<string, object[]> = {
        'reserves that do not exist': [row(devnet.account.address, [fake, symbol], [usdc, 'USDC'])],
        "another pool's reserves": [row(deepest, [fake, symbol], [weth, 'WETH'])],
        "another pool's reserves, with the tokens swapped": [
          row(deepest, [weth, 'WETH'], [fake, symbol]),
        ],
        'a pool against a worthless token': [row(made, [fake, symbol], [worthless, 'GOLD'])],
        'a worthless token with the symbol WETH': [row(made, [fake, symbol], [worthless, 'WETH'])],
        'reserves of 10^30': [
          row(shallow, [fake, symbol], [weth, 'WETH'], 1e30),
          row(made, [fake, symbol], [worthless, 'GOLD'], 1e30),
        ],
        'a shallow pool': [row(shallow, [fake, symbol], [weth, 'WETH'])],
        'thirty pools': Array.from({ length: 24 }, (_, index) =>
          row(`0x${(index + 1).toString(16).padStart(40, '0')}`, [fake, symbol], [weth, 'WETH']),
        ),
        'a known token under its symbol': [row(deepest, [weth, symbol], [usdc, 'USDC'])],
        'another token under its symbol': [
          row(deepest, [addressOf('AERO'), symbol], [weth, 'WETH']),
        ],
        'a pool that is the token': [row(fake, [fake, symbol], [weth, 'WETH'])],
      }
      for (const [name, rows] of Object.entries(attacks)) {
        const { body, status } = await quote(await serve(await withRows(rows)), { out: 'MOSS' })
        expect([name, status, body['tokenOut']]).toEqual([name, 200, moss])
      }
    },
  )

  test('behavior: a token that can be bought and not sold has no depth', async () => {
    const [weth, fake] = [addressOf('WETH'), await deployToken('MOSS')]
    // At a price of one, all liquidity is in the fake token, on the side where it is bought.
    const isFirst = fake.toLowerCase() < weth.toLowerCase()
    const [token0, token1] = isFirst ? [fake, weth] : [weth, fake]
    const [tickLower, tickUpper] = isFirst ? [60, 120] : [-120, -60]
    const wallet = walletOf(devnet, chain())
    const pool = {
      factory: chainSpecs[0]!.v3Factory.address,
      token0,
      token1,
      fee: 3000,
      sqrtPriceX96: 2n ** 96n,
      ranges: [{ tickLower, tickUpper, liquidity: 10n ** 27n }],
    }
    await mined(
      devnet,
      await wallet.writeContract({
        address: seeder,
        abi: seederAbi,
        functionName: 'createPools',
        args: [[pool]],
      }),
    )
    const bought = await quote(await serve(), { out: fake, amountIn: '170000000000' })
    expect(bought.body['quote'].impactBps).toBeLessThan(1_000)
    const deepest = chain().pools.find(
      ({ kind, token0: a, token1: b }) =>
        kind === 'uniswapV3' && [a, b].sort().join() === 'USDC,WETH',
    )!.address
    const rows = [row(deepest, [fake, 'MOSS'], [weth, 'WETH'])]
    const { body, status } = await quote(await serve(await withRows(rows)), { out: 'MOSS' })
    expect([status, body['tokenOut']]).toEqual([200, addressOf('MOSS')])
  })

  test('error: two tokens of similar liquidity have the symbol', async () => {
    const rival = await deployToken('MOSS')
    const depth = 60n * 10n ** 18n
    const pair = await createPool([rival, addressOf('WETH')], [10n ** 24n, depth])
    const rows = [row(pair, [rival, 'MOSS'], [addressOf('WETH'), 'WETH'])]
    const { body, status } = await quote(await serve(await withRows(rows)), { out: 'MOSS' })
    expect([status, body['details'][0].reason]).toEqual([
      422,
      "is the symbol of several tokens of similar liquidity; pass the token's address",
    ])
  })

  test('property: with random market data, MOSS resolves to MOSS or to no token', async () => {
    const market = await startFakeMarket()
    markets.push(market)
    const some = (values: readonly unknown[]) =>
      fc.oneof(fc.constantFrom(...values), fc.jsonValue())
    const tokens = ['MOSS', 'AERO', 'WETH', 'USDC', 'MIRAGE', 'PYRE', 'BLOAT', 'HALT'].map(
      addressOf,
    )
    const token = fc.record({
      address: some(tokens),
      symbol: some(['MOSS', 'moss', 'WETH', 'МОSS', 'MOSS​']),
      name: some(['MOSS']),
    })
    const noisy = fc.record(
      {
        chainId: some(['base', 'ethereum']),
        pairAddress: some([...chain().pools.map(({ address }) => address), ...tokens]),
        baseToken: token,
        quoteToken: token,
        liquidity: fc.oneof(
          fc.record({ usd: fc.double(), base: fc.double(), quote: fc.double() }),
          fc.jsonValue(),
        ),
        priceUsd: some(['1', '1e300', '-1', 'NaN']),
        priceNative: some(['0', '1']),
      },
      { requiredKeys: ['chainId', 'pairAddress', 'baseToken', 'quoteToken'] },
    )
    const answer = fc.oneof(
      fc.array(noisy, { maxLength: 30 }).map((pairs) => ({ pairs })),
      fc.jsonValue(),
    )
    await fc.assert(
      fc.asyncProperty(answer, async (given) => {
        market.answer = given
        // A new service each time, with an empty cache.
        const url = await serve(market.url)
        const { body, status } = await quote(url, { out: 'MOSS' })
        expect([200, 422, 502]).toContain(status)
        if (status === 200) expect(body['tokenOut']).toBe(addressOf('MOSS'))
        await servers.pop()!.stop()
      }),
      { numRuns: 60, seed: 6 },
    )
  })
})
