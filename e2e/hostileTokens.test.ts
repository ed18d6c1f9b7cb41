import { xrayResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import { type RunningServer, startServer } from '@sluice/server'
import { type Address, type Hex, numberToHex, size } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FakeMarket, startFakeMarket } from '../packages/engine/test/fakeMarket.js'
import { startProxy } from '../packages/rpc/test/startProxy.js'
import type { TextServer } from '../packages/rpc/test/startTextServer.js'
import { patience, startDevnet } from './lib/startDevnet.js'
import { startMixedMarket } from './lib/startMixedMarket.js'
import { tokenZoo } from './lib/tokenZoo.js'

let devnet: Devnet
const servers: RunningServer[] = []
const markets: FakeMarket[] = []
const proxies: TextServer[] = []

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  for (const [index, code] of Object.values(tokenZoo).entries())
    await rpc('hardhat_setCode', [cageOf(index), code])
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  for (const market of markets.splice(0)) await market.close()
  for (const proxy of proxies.splice(0)) await proxy.close()
})
afterAll(() => devnet?.stop())

const chain = () => devnet.chains[0]!
const addressOf = (symbol: string) => chain().tokens[symbol]!.address
const cageOf = (index: number): Address =>
  `0x00000000000000000000000000000000200${(index + 16).toString(16)}000`
const cages = Object.keys(tokenZoo).map((name, index) => [name, cageOf(index)] as const)

async function rpc(method: string, params: unknown[]): Promise<unknown> {
  const answer = await fetch(chain().rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await answer.json()) as { result: unknown }).result
}

/** Starts a proxy for the devnet's node that counts calls and measures responses. */
async function startMeter() {
  const meter = { calls: 0, largest: 0 }
  const proxy = await startProxy(chain().rpcUrl, async (body, forward) => {
    // Periodic health checks of the node do not belong to a request.
    if (!body.includes('eth_getCode')) meter.calls++
    const answer = await forward()
    meter.largest = Math.max(meter.largest, answer?.length ?? 0)
    return answer
  })
  proxies.push(proxy)
  return Object.assign(meter, { url: proxy.url })
}

async function serve(rpcUrl = chain().rpcUrl, marketUrl = devnet.marketUrl) {
  const server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map([[8453, [rpcUrl]]]),
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...patience,
    marketData: [{ kind: 'dexscreener', url: marketUrl }],
  })
  servers.push(server)
  return server.url
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes, asserted member by member.
type Answer = { status: number; text: string; body: Record<string, any> }

async function get(url: string): Promise<Answer> {
  const answer = await fetch(url)
  const text = await answer.text()
  return { status: answer.status, text, body: JSON.parse(text) }
}

const quote = (url: string, changes: Record<string, string> = {}) =>
  get(
    `${url}/api/quote?${new URLSearchParams({ chain: 'base', in: 'USDC', out: 'WETH', amountIn: '1000000000', ...changes })}`,
  )

/** A row of market data that reports a pool under the requested symbol. */
function rowOf(pair: Address, token: Address, symbol: string) {
  return {
    chainId: 'base',
    dexId: 'uniswap',
    pairAddress: pair,
    baseToken: { address: token, symbol, name: symbol },
    quoteToken: { address: addressOf('WETH'), symbol: 'WETH', name: 'WETH' },
    priceNative: '1',
    priceUsd: '3000',
    liquidity: { usd: 1e12, base: 1e8, quote: 1e8 },
  }
}

async function startMarketOf(rows: object[]): Promise<string> {
  const market = await startMixedMarket(devnet.marketUrl, rows)
  markets.push(market)
  return market.url
}

const deepest = () =>
  chain().pools.find(
    ({ kind, token0, token1 }) =>
      kind === 'uniswapV3' && [token0, token1].sort().join() === 'USDC,WETH',
  )!.address

describe('a token that returns endless or arbitrary data', () => {
  test('default: there are at least twelve hostile tokens, and each behaves as described', async () => {
    expect(cages.length).toBeGreaterThanOrEqual(12)
    /** Bytes that `symbol()` returns; `undefined` if the call fails. */
    const sizes = await Promise.all(
      cages.map(async ([, to]) => {
        const call = { to, data: '0x95d89b41', gas: numberToHex(2 ** 24) }
        const answer = (await rpc('eth_call', [call, 'latest'])) as Hex | undefined
        return answer && size(answer)
      }),
    )
    expect(Object.fromEntries(cages.map(([name], index) => [name, sizes[index]]))).toEqual({
      'reverts on every call': undefined,
      'has invalid code': undefined,
      'never ends': undefined,
      'returns nothing': 0,
      'returns 31 bytes': 31,
      'returns a megabyte of zeros': 2 ** 20,
      'returns a string of a megabyte': 2 ** 20,
      'reverts with a megabyte': undefined,
      'points to a string far beyond its return data': 96,
      'returns a string length larger than all memory': 96,
      'returns the maximum for every number': 32,
      'returns a different value at each read': 32,
      'writes during a read': 32,
      'calls itself forever': 32,
      'destroys itself': 0,
      'has a name of invalid UTF-8': 96,
      'has a name that instructs a language model': 128,
      'has a name with markup': 128,
    })
  })

  test.each(cages)(
    'behavior: a token that %s costs at most three calls and has no route',
    async (_, token) => {
      const meter = await startMeter()
      const url = await serve(meter.url)
      const before = await quote(url)
      for (const [side, code] of [
        ['out', 'bad_out'],
        ['in', 'bad_in'],
      ] as const) {
        meter.calls = 0
        const { body, status, text } = await quote(url, { [side]: token })
        expect([side, status, body['code']]).toEqual([
          side,
          expect.toBeOneOf([400, 422]),
          expect.toBeOneOf([code, 'no_route']),
        ])
        expect(text).toMatch(/^[ -~]*$/)
        expect(meter.calls).toBeLessThanOrEqual(3)
      }
      expect((await quote(url)).body['quote']).toEqual(before.body['quote'])
      expect(meter.largest).toBeLessThan(256 * 1024)
    },
  )

  test("behavior: none of them takes over an honest token's symbol", async () => {
    const meter = await startMeter()
    const rows = cages.map(([, token]) => rowOf(deepest(), token, 'MOSS'))
    const own = cages.map(([, token]) => rowOf(token, token, 'MOSS'))
    const alone = await quote(await serve(), { out: 'MOSS' })
    for (const reported of [rows, own]) {
      const url = await serve(meter.url, await startMarketOf(reported.slice(0, 20)))
      const { body, status } = await quote(url, { out: 'MOSS' })
      expect([status, body['tokenOut']]).toEqual([200, addressOf('MOSS')])
      expect(body['quote']).toEqual(alone.body['quote'])
    }
    expect(meter.largest).toBeLessThan(256 * 1024)
  })

  test('behavior: in a report each of them has the verdict unknown, in at most four calls', async () => {
    const meter = await startMeter()
    const rows = cages.map(([, token], index) => ({
      ...rowOf(cageOf(index), addressOf('MOSS'), 'MOSS'),
      quoteToken: { address: token, symbol: '<b>', name: '\u202eSCAM' },
    }))
    const honest = (await (
      await fetch(`${devnet.marketUrl}/token-pairs/v1/base/${addressOf('MOSS')}`)
    ).json()) as object[]
    const market = await startFakeMarket([...rows, ...honest])
    markets.push(market)
    const url = await serve(meter.url, market.url)
    await quote(url)
    meter.calls = 0
    const { body, status, text } = await get(
      `${url}/api/xray?chain=base&token=${addressOf('MOSS')}`,
    )
    expect(status).toBe(200)
    expect(meter.calls).toBeLessThanOrEqual(4)
    expect(meter.largest).toBeLessThan(256 * 1024)
    expect(text).toMatch(/^[ -~]*$/)
    expect(text).not.toContain('<b>')
    const { pools } = xrayResponse.parse(body)
    expect(pools).toHaveLength(rows.length + honest.length)
    expect(pools.slice(rows.length).map(({ verdict }) => verdict)).toEqual(honest.map(() => 'real'))
    // The report accepts the invented reserves of none of them.
    for (const { verdict } of pools.slice(0, rows.length)) expect(verdict).not.toBe('real')
  })

  test.each(['PYRE', 'BLOAT', 'HALT', 'MIRAGE'])(
    'behavior: %s, which has pools, is not in the routes of other tokens',
    async (symbol) => {
      const meter = await startMeter()
      const url = await serve(meter.url)
      // After the first quote, the service knows which requests the node accepts.
      await quote(url)
      for (const [tokenIn, tokenOut] of [
        ['WETH', addressOf(symbol)],
        [addressOf(symbol), 'USDC'],
      ] as const) {
        meter.calls = 0
        const { status } = await quote(url, { in: tokenIn, out: tokenOut })
        expect([200, 400, 422]).toContain(status)
        expect(meter.calls).toBeLessThanOrEqual(3)
      }
      const { body, status } = await quote(url, { out: 'AERO' })
      expect(status).toBe(200)
      const touched = (body['route'].legs as { tokenIn: Address; tokenOut: Address }[]).flatMap(
        ({ tokenIn, tokenOut }) => [tokenIn, tokenOut],
      )
      expect(touched).not.toContain(addressOf(symbol))
    },
  )
})

describe('a token with false or changing decimals', () => {
  /** `_decimals` is the lowest byte of the first word of a DevToken. */
  const withDecimals = (word: Hex, decimals: number): Hex =>
    `0x${word.slice(2, -2)}${decimals.toString(16).padStart(2, '0')}`

  const readFirst = (token: Address) =>
    rpc('eth_getStorageAt', [token, '0x0', 'latest']) as Promise<Hex>

  async function setDecimals(token: Address, first: Hex, decimals: number) {
    await rpc('hardhat_setStorageAt', [
      token,
      numberToHex(0, { size: 32 }),
      withDecimals(first, decimals),
    ])
    await rpc('evm_mine', [])
    const told = await rpc('eth_call', [{ to: token, data: '0x313ce567' }, 'latest'])
    expect(BigInt(told as Hex)).toBe(BigInt(decimals))
  }

  test('behavior: none of the 256 values changes a number of a quote, on either side', async () => {
    const url = await serve()
    const moss = addressOf('MOSS')
    const first = await readFirst(moss)
    // Without gas, because the gas price changes with each block.
    const sides = [
      { out: moss, gasPrice: '0' },
      { in: moss, out: 'USDC', amountIn: `123${'0'.repeat(18)}`, gasPrice: '0' },
    ] as Record<string, string>[]
    const told = (answers: Answer[]) =>
      answers.map(({ body, status }) => [status, body['amountIn'], body['quote'], body['route']])
    const ask = async () => told(await Promise.all(sides.map((side) => quote(url, side))))
    const honest = await ask()
    expect(honest.map(([status]) => status)).toEqual([200, 200])
    for (let decimals = 0; decimals < 256; decimals++) {
      await setDecimals(moss, first, decimals)
      expect([decimals, await ask()]).toEqual([decimals, honest])
    }
    await setDecimals(moss, first, 18)
  })

  test('behavior: the depth that decides about its symbol does not depend on decimals', async () => {
    const moss = addressOf('MOSS')
    const first = await readFirst(moss)
    const depthOf = async () => (await quote(await serve(), { out: 'MOSS' })).body['resolved']
    const honest = await depthOf()
    expect(honest.out.address).toBe(moss)
    for (const decimals of [0, 6, 77, 78, 255]) {
      await setDecimals(moss, first, decimals)
      expect([decimals, await depthOf()]).toEqual([decimals, honest])
    }
    await setDecimals(moss, first, 18)
  })

  test.each([0, 1, 6, 17, 19, 36, 77, 78, 128, 255])(
    'behavior: with %i decimals a report shows the exact balance, and a verdict up to 77 decimals',
    async (decimals) => {
      const moss = addressOf('MOSS')
      const first = await readFirst(moss)
      await setDecimals(moss, first, decimals)
      try {
        const { body, status } = await get(`${await serve()}/api/xray?chain=base&token=${moss}`)
        expect(status).toBe(200)
        const { pools } = xrayResponse.parse(body)
        for (const { base, quote: other, verdict } of pools) {
          const side = base.token === moss ? base : other
          expect(side.decimals).toBe(decimals)
          // Exactly the balance with the decimal point moved, without rounding.
          const [whole = '', fraction = ''] = side.onchain!.split('.')
          expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(BigInt(side.balance!))
          if (decimals > 77) expect([verdict, side.deltaBps]).toEqual(['unknown', null])
          else expect(side.deltaBps).not.toBe(0)
        }
      } finally {
        await setDecimals(moss, first, 18)
      }
    },
  )
})
