import { xrayResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import { createClient, getXray, type XrayResponse } from '@sluice/sdk'
import { type RunningServer, startServer } from '@sluice/server'
import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { devTokenAbi, devTokenBytecode } from '../packages/devnet/src/generated/devToken.js'
import { clientOf, receiptOf, walletOf } from '../packages/devnet/test/clients.js'
import { type FakeMarket, startFakeMarket } from '../packages/engine/test/fakeMarket.js'
import { startProxy } from '../packages/rpc/test/startProxy.js'
import { patience, startDevnet } from './lib/startDevnet.js'

let devnet: Devnet
const servers: RunningServer[] = []
const markets: FakeMarket[] = []

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453, 42161] })
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  for (const market of markets.splice(0)) await market.close()
})
afterAll(() => devnet?.stop())

const chain = () => devnet.chains[0]!
const addressOf = (symbol: string) => chain().tokens[symbol]!.address

async function serve(marketUrl: string | null = devnet.marketUrl, changes = {}) {
  const server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...patience,
    marketData: marketUrl === null ? [] : [{ kind: 'dexscreener', name: 'devnet', url: marketUrl }],
    ...changes,
  })
  servers.push(server)
  return server.url
}

async function startMarket(answer: unknown): Promise<FakeMarket> {
  const market = await startFakeMarket(answer)
  markets.push(market)
  return market
}

async function ask(url: string, query: Record<string, string>) {
  const answer = await fetch(`${url}/api/xray?${new URLSearchParams(query)}`)
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

async function xray(url: string, token: string, on = 'base'): Promise<XrayResponse> {
  const { body, status } = await ask(url, { chain: on, token })
  expect([token, status]).toEqual([token, 200])
  return xrayResponse.parse(body)
}

async function rpc(call: object): Promise<string> {
  const answer = await fetch(chain().rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
  })
  return ((await answer.json()) as { result: string }).result
}

const plain = [
  'WETH',
  'USDC',
  'DAI',
  'AERO',
  'cbETH',
  'MOSS',
  'FERN',
  'KELP',
  'TIDE',
  'BRINE',
  'SLU',
]

describe('the devnet', () => {
  test('default: honest tokens are real, with less than 1 % phantom liquidity', async () => {
    const url = await serve()
    for (const symbol of [...plain, 'LEVY', 'HALT']) {
      const { summary, token } = await xray(url, addressOf(symbol))
      expect(token).toBe(addressOf(symbol))
      expect([symbol, summary.verdict]).toEqual([symbol, 'real'])
      expect(summary.phantomBps).toBeLessThan(100)
      expect(summary.compared).toBeGreaterThan(0)
    }
    expect(
      (await xray(url, devnet.chains[1]!.tokens['ARB']!.address, 'arbitrum')).summary,
    ).toMatchObject({
      verdict: 'real',
      phantomBps: 0,
    })
  })

  test('default: MIRAGE has 99 % phantom liquidity, by address and by symbol', async () => {
    const url = await serve()
    const byAddress = await xray(url, addressOf('MIRAGE'))
    expect(byAddress).toMatchObject({
      source: 'devnet',
      summary: { pools: 1, compared: 1, phantomBps: 9_900, verdict: 'phantom' },
      pools: [
        { dex: 'uniswap', method: 'balanceOf', verdict: 'phantom', base: { deltaBps: -9_900 } },
      ],
      tax: { buyBps: 0, sellBps: 0, transferBps: 0, reason: null },
    })
    const { resolved, ...bySymbol } = await xray(url, 'mirage')
    expect(resolved).toMatchObject({ symbol: 'MIRAGE', address: addressOf('MIRAGE') })
    expect(bySymbol).toEqual(byAddress)
  })

  test("default: the measured tax equals the token's tax", async () => {
    const url = await serve()
    const taxOf = async (symbol: string) => (await xray(url, addressOf(symbol))).tax
    const [levy, moss, halt] = [await taxOf('LEVY'), await taxOf('MOSS'), await taxOf('HALT')]
    const trueBps = await clientOf(chain()).readContract({
      address: addressOf('LEVY'),
      abi: devTokenAbi,
      functionName: 'TAX_BPS',
    })
    const bps = Number(trueBps)
    expect(levy).toMatchObject({ buyBps: bps, sellBps: bps, transferBps: bps, reason: null })
    expect(moss).toMatchObject({ buyBps: 0, sellBps: 0, transferBps: 0, reason: null })
    expect(halt).toMatchObject({
      buyBps: null,
      sellBps: null,
      transferBps: null,
      reason: 'The token refuses the transfer.',
    })
  })

  test('default: anyone can repeat the report, as one call or read by read', async () => {
    const report = await xray(await serve(), addressOf('MOSS'))
    const result = await rpc(report.rpcRequest)
    expect(report.curl).toContain(JSON.stringify(report.rpcRequest))
    for (const { base, pair, quote } of report.pools)
      for (const side of [base, quote]) {
        const data = encodeFunctionData({
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [pair as Address],
        })
        expect(side.call).toEqual({ to: side.token, data })
        const number = `0x${report.blockNumber.toString(16)}`
        const alone = await rpc({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_call',
          params: [side.call, number],
        })
        expect(BigInt(alone)).toBe(BigInt(side.balance!))
        // The result of the one call contains the same word.
        expect(result).toContain(alone.slice(2))
      }
    for (const request of report.tax.rpcRequests) expect(await rpc(request)).toMatch(/^0x/)
  })

  test('behavior: pools in a shared contract are not compared, but counted', async () => {
    const { pools, summary } = await xray(await serve(), addressOf('USDC'))
    const singletons = pools.filter(({ method }) => method === 'unsupported_singleton')
    expect(singletons).toHaveLength(2)
    for (const { base, pair, phantomBps, quote, verdict } of singletons) {
      expect(pair).toHaveLength(66)
      expect([phantomBps, verdict, base.onchain, quote.onchain]).toEqual([
        null,
        'unknown',
        null,
        null,
      ])
      expect(Number(quote.reported)).toBeGreaterThan(1_000)
    }
    expect(summary.compared).toBe(summary.pools - 2)
  })

  test('behavior: hostile tokens get the verdict unknown and affect no others', async () => {
    const url = await serve()
    for (const symbol of ['PYRE', 'BLOAT']) {
      const { pools, summary, tax } = await xray(url, addressOf(symbol))
      expect(summary).toMatchObject({
        compared: 0,
        phantomBps: null,
        reportedUsd: null,
        verdict: 'unknown',
      })
      expect([tax.buyBps, tax.sellBps, tax.transferBps]).toEqual([null, null, null])
      expect(pools[0]!.base).toMatchObject({ onchain: null, balance: null, deltaBps: null })
      expect(pools[0]!.quote).toMatchObject({ deltaBps: 0, onchain: expect.any(String) })
    }
    // The pools of WETH with each of them are unknown; all the others are read.
    const { pools, summary } = await xray(url, addressOf('WETH'))
    const unread = pools.filter(
      ({ method, verdict }) => method === 'balanceOf' && verdict === 'unknown',
    )
    expect(unread.map(({ base }) => base.token).sort()).toEqual(
      [addressOf('PYRE'), addressOf('BLOAT')].sort(),
    )
    expect(summary.verdict).toBe('real')
  })
})

describe('requests', () => {
  test.each([
    [{ chain: 'base' }, 400, 'bad_token'],
    [{ token: 'WETH' }, 400, 'bad_chain'],
    [{ chain: 'solana', token: 'WETH' }, 400, 'bad_chain'],
    [{ chain: 'eth', token: 'WETH' }, 400, 'bad_chain'],
    [{ chain: 'base', token: '0x12' }, 400, 'bad_token'],
    [{ chain: 'base', token: 'a b' }, 400, 'bad_token'],
    [{ chain: '42161', token: 'SLU' }, 400, 'bad_token'],
    [{ chain: 'base', token: 'WETH', extra: '1' }, 400, 'bad_param'],
    [{ chain: 'base', token: 'NOSUCH' }, 422, 'unresolved'],
    [{ chain: 'base', token: 'U5DC' }, 422, 'unresolved'],
    [{ chain: 'base', token: 'USDС' }, 422, 'unresolved'],
  ])('error: %j', async (query, status, code) => {
    expect(await ask(await serve(), query)).toMatchObject({
      status,
      body: { ok: false, code, details: [{ code }] },
    })
  })

  test('default: ETH is examined as WETH, and known symbols as their tokens', async () => {
    const url = await serve()
    expect((await xray(url, 'ETH')).token).toBe(addressOf('WETH'))
    expect(await xray(url, 'dai')).toMatchObject({
      token: addressOf('DAI'),
      resolved: { symbol: 'DAI', address: addressOf('DAI') },
    })
    const client = createClient({ baseUrl: url })
    expect((await getXray(client, { chain: 8453, token: 'USDC' })).token).toBe(addressOf('USDC'))
  })

  test('behavior: all callers share one report per minute', async () => {
    const market = await startMarket([])
    const url = await serve(market.url)
    const query = { chain: 'base', token: addressOf('MOSS') }
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url, query)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(market.asked).toEqual([`/token-pairs/v1/base/${addressOf('MOSS')}`])
    expect(answers[0]!.headers.get('cache-control')).toMatch(/^public, max-age=(60|59|58)$/)
    expect(answers[0]!.body).toMatchObject({ summary: { pools: 0, verdict: 'unknown' } })
  })
})

describe('requests to nodes', () => {
  /** Starts the service with a proxy that counts requests to the devnet's node. */
  async function countRequests() {
    let count = 0
    const proxy = await startProxy(chain().rpcUrl, (body, forward) => {
      // Health checks, reads of the head and of the gas price happen periodically, not per request.
      if (/"eth_call"/.test(body) && !/eth_getCode|eth_gasPrice/.test(body)) count++
      return forward()
    })
    const url = await serve(devnet.marketUrl, {
      rpcUrls: new Map([[8453, [proxy.url]]]),
    })
    await xray(url, addressOf('WETH'))
    return {
      url,
      /** Counts the requests with calls during `work`. */
      async during(work: () => Promise<unknown>) {
        const before = count
        await work()
        return count - before
      },
      close: proxy.close,
    }
  }

  test('default: a report needs at most four requests, and none when repeated', async () => {
    const { close, during, url } = await countRequests()
    expect(await during(() => xray(url, addressOf('USDC')))).toBeLessThanOrEqual(4)
    expect(await during(() => xray(url, addressOf('USDC')))).toBe(0)
    expect(await during(() => ask(url, { chain: 'base', token: 'U5DC' }))).toBe(0)
    await close()
  })

  test('default: a symbol is looked up once, and then costs no requests', async () => {
    const { close, during, url } = await countRequests()
    const quote = (out: string) => async () => {
      const trade = { chain: 'base', in: 'USDC', out, amountIn: '1000000', exact: '1' }
      const answer = await fetch(`${url}/api/quote?${new URLSearchParams(trade)}`)
      expect(answer.status).toBe(200)
    }
    // One of them reads the token's symbol and decimals, because it is on no list.
    expect(await during(quote('KELP'))).toBeLessThanOrEqual(9)
    expect(await during(quote('KELP'))).toBe(await during(quote(addressOf('KELP'))))
    await close()
  })
})

describe('market data that is unavailable', () => {
  test('error: neither the response nor the log contains the URL of the source', async () => {
    const lines: string[] = []
    const server = await startServer(
      {
        port: 0,
        deployments: devnet.deployments,
        rpcUrls: new Map([[8453, [chain().rpcUrl]]]),
        maxBlockAge: 'off',
        marketData: [{ kind: 'dexscreener', url: 'http://127.0.0.1:1/SECRET-KEY' }],
      },
      { logDestination: { write: (line) => lines.push(line) } },
    )
    servers.push(server)
    const { body } = await ask(server.url, { chain: 'base', token: addressOf('MOSS') })
    expect(lines.join('')).toMatch(/"source":"dexscreener","failure":"connect"/)
    expect(JSON.stringify(body) + lines.join('')).not.toContain('SECRET')
  })

  test.each([
    ['a source that does not respond', 'http://127.0.0.1:1', 502, 'rpc_unreachable', true],
    ['no source at all', null, 400, 'market_required', false],
  ])('error: %s', async (_, url, status, code, retryable) => {
    const answer = await ask(await serve(url), { chain: 'base', token: 'WETH' })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toMatchObject({ ok: false, code, retryable })
    expect(answer.body).not.toHaveProperty('summary')
  })

  test('error: the chain does not respond', async () => {
    const rpcUrls = new Map([[8453, ['http://127.0.0.1:1']]])
    const { body, status } = await ask(await serve(devnet.marketUrl, { rpcUrls }), {
      chain: 'base',
      token: addressOf('MOSS'),
    })
    expect([status, body]).toMatchObject([502, { code: 'rpc_unreachable' }])
  })

  test('behavior: the last report is served for an hour, marked stale', async () => {
    const market = await startMarket([])
    let skipped = 0
    const clock = Date.now
    try {
      // Moves the clock, because a test cannot wait for an hour.
      Date.now = () => clock() + skipped
      const url = await serve(market.url)
      const first = await xray(url, addressOf('MOSS'))
      expect(first.stale).toBeUndefined()
      await market.close()
      skipped = 40_000
      expect(await xray(url, addressOf('MOSS'))).toEqual(first)
      skipped = 61_000
      const performanceNow = performance.now.bind(performance)
      performance.now = () => performanceNow() + skipped
      try {
        const { body, headers } = await ask(url, { chain: 'base', token: addressOf('MOSS') })
        expect(body).toEqual({ ...first, stale: true })
        expect(headers.get('cache-control')).toBe('no-store')
        skipped = 3_601_000
        expect((await ask(url, { chain: 'base', token: addressOf('MOSS') })).status).toBe(502)
      } finally {
        performance.now = performanceNow
      }
    } finally {
      Date.now = clock
    }
  })
})

describe('market data that is false', () => {
  test('behavior: any JSON gives a report or 502, never an internal error', async () => {
    const market = await startMarket([])
    let url = await serve(market.url)
    const tokens = Object.values(devnet.chains[0]!.tokens).map(({ address }) => address)
    const some = (values: readonly unknown[]) =>
      fc.oneof(fc.constantFrom(...values), fc.jsonValue())
    const side = fc.record({ address: some(tokens), symbol: fc.string(), name: fc.string() })
    const row = fc.record(
      {
        chainId: some(['base']),
        dexId: fc.oneof(fc.string(), fc.jsonValue()),
        pairAddress: some([
          ...chain().pools.map(({ address }) => address),
          ...tokens,
          `0x${'ab'.repeat(32)}`,
        ]),
        baseToken: side,
        quoteToken: side,
        liquidity: fc.oneof(
          fc.record({ usd: fc.double(), base: fc.double(), quote: fc.double() }),
          fc.jsonValue(),
        ),
        priceUsd: some(['1', '1e300', '0', '-1', 'x']),
        priceNative: some(['1', '0', '1e-300']),
      },
      { requiredKeys: ['chainId', 'pairAddress', 'baseToken', 'quoteToken'] },
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.array(row, { maxLength: 30 }), fc.jsonValue()),
        async (given) => {
          market.answer = given
          // Another token each time, so that nothing is cached. The rows are changed to contain this token.
          const token = tokens[count++ % tokens.length]!
          const rows = Array.isArray(given)
            ? given.map((each) =>
                isRow(each) ? { ...each, baseToken: { ...each.baseToken, address: token } } : each,
              )
            : given
          market.answer = rows
          if (count % tokens.length === 0) url = await serve(market.url)
          const { body, status } = await ask(url, { chain: 'base', token })
          expect([200, 502]).toContain(status)
          if (status === 200) xrayResponse.parse(body)
          expect(JSON.stringify(body)).not.toMatch(/[^ -~]/)
        },
      ),
      { numRuns: 80, seed: 6 },
    )
  })

  test('behavior: a hostile token gets the verdict unknown, without an effect on others', async () => {
    const wallet = walletOf(devnet, chain())
    const hash = await wallet.deployContract({ abi: devTokenAbi, bytecode: devTokenBytecode })
    const receipt = await receiptOf(clientOf(chain()), hash)
    const evil = receipt.contractAddress as Address
    const honest = (await (
      await fetch(`${devnet.marketUrl}/token-pairs/v1/base/${addressOf('MOSS')}`)
    ).json()) as object[]
    const spoilers = [evil, addressOf('PYRE'), addressOf('BLOAT'), devnet.account.address].map(
      (token, index) => ({
        ...honest[0],
        pairAddress: `0x${(index + 1).toString(16).padStart(40, '0')}`,
        quoteToken: { address: token, symbol: 'EVIL', name: 'EVIL' },
      }),
    )
    const market = await startMarket([...spoilers, ...honest])
    const { pools, summary, tax } = await xray(await serve(market.url), addressOf('MOSS'))
    expect(pools.slice(4).map(({ verdict }) => verdict)).toEqual(['real', 'real', 'real'])
    expect(pools.slice(0, 4).map(({ phantomBps }) => phantomBps)).toEqual([
      // A plain token that was never configured has zero decimals and holds nothing.
      10_000,
      null,
      null,
      null,
    ])
    expect(summary.pools).toBe(7)
    expect(tax).toMatchObject({ buyBps: 0, sellBps: 0, transferBps: 0 })
  })
})

function isRow(value: unknown): value is { baseToken: object } {
  return typeof value === 'object' && value !== null && 'baseToken' in value
}
