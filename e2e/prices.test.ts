import { hubAbi, quoterAbi } from '@sluice/abi'
import type { Devnet } from '@sluice/devnet'
import { createClient, getPrice, getQuote, getTokens, type PriceResponse } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import { type Address, erc20Abi, formatUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../packages/devnet/test/clients.js'
import { createPair, createToken } from './lib/createMarket.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { serveDevnet } from './lib/serveDevnet.js'

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ chainIds: [8453] }, (running) => {
  ;({ devnet, server } = running)
})

const chain = () => devnet.chains[0]!
const addressOf = (symbol: string) => chain().tokens[symbol]!.address
const contracts = () => devnet.deployments.chains['8453']!.versions['1.0.0']!
const client = () => createClient({ baseUrl: server.url })

async function priceOf(...tokens: string[]): Promise<PriceResponse['prices']> {
  return (await getPrice(client(), { chain: 'base', tokens })).prices
}

/** The price from a service that starts now, so that it has read no block before the token's pools. */
async function freshPriceOf(token: Address): Promise<PriceResponse['prices'][number]> {
  const fresh = await serveDevnet(devnet)
  try {
    const { prices } = await getPrice(createClient({ baseUrl: fresh.url }), {
      chain: 'base',
      tokens: [token],
    })
    return prices[0]!
  } finally {
    await fresh.stop()
  }
}

/** What the Quoter itself says that a trade delivers before the fee, by a call of our own. */
async function grossOut(tokenIn: Address, tokenOut: Address, amountIn: bigint): Promise<bigint> {
  const { route } = (await clientOf(chain()).readContract({
    address: contracts().quoter,
    abi: quoterAbi,
    functionName: 'previewPlan',
    args: [tokenIn, tokenOut, amountIn],
  })) as { route: { grossOut: bigint } }
  return route.grossOut
}

describe('GET /api/tokens', () => {
  test('default: decimals and symbols are those of the contracts', async () => {
    const tokens = Object.values(chain().tokens).map(({ address }) => address)
    const { tokens: rows } = await getTokens(client(), { chain: 'base', tokens })
    const read = await Promise.all(
      tokens.map(async (address) => {
        const at = { address, abi: erc20Abi } as const
        return await Promise.all([
          clientOf(chain()).readContract({ ...at, functionName: 'decimals' }),
          clientOf(chain()).readContract({ ...at, functionName: 'symbol' }),
        ]).catch(() => [null, null])
      }),
    )
    // Two tokens of the devnet burn all gas or flood their caller with data if asked.
    const isHostile = (index: number) => rows[index]!.source === null
    const names = Object.keys(chain().tokens)
    expect(names.filter((_, index) => isHostile(index))).toEqual(['PYRE', 'BLOAT'])
    for (const [index, row] of rows.entries())
      if (!isHostile(index)) expect([row.decimals, row.symbol]).toEqual(read[index])
  })

  test("default: the list has the Hub's connector tokens", async () => {
    const connectors = await clientOf(chain()).readContract({
      address: contracts().hub,
      abi: hubAbi,
      functionName: 'connectorTokens',
    })
    const { complete, tokens } = await getTokens(client(), { chain: 'base' })
    expect(complete).toBe(true)
    expect(tokens.map(({ address }) => address)).toEqual(expect.arrayContaining([...connectors]))
  })
})

describe('GET /api/price', () => {
  test('default: the purchase and the sale are those of the Quoter', async () => {
    const usdc = addressOf('USDC')
    for (const symbol of ['WETH', 'cbBTC', 'MOSS', 'FERN']) {
      const { address, decimals } = chain().tokens[symbol]!
      const bought = await grossOut(usdc, address, 1_000_000_000n)
      const back = await grossOut(address, usdc, bought)
      const [price] = await priceOf(address)
      const each = Number(formatUnits(bought, decimals))
      expect(Number(price!.buyUsd) * each).toBeCloseTo(1_000, 6)
      expect(Number(price!.sellUsd) * each).toBeCloseTo(Number(back) / 1e6, 6)
      const product = Number(price!.buyUsd) * Number(price!.sellUsd)
      expect(Number(price!.usd) ** 2 / product).toBeCloseTo(1, 10)
    }
  })

  test("default: within 1 % of the prices that the devnet's pools were made with", async () => {
    const symbols = ['WETH', 'DAI', 'cbBTC', 'AERO', 'cbETH', 'SLU', 'MOSS', 'FERN', 'KELP', 'TIDE']
    const prices = await priceOf(...symbols.map(addressOf))
    for (const [index, symbol] of symbols.entries()) {
      const { usd } = chain().tokens[symbol]!
      expect(Math.abs(Number(prices[index]!.usd) / usd - 1)).toBeLessThan(0.01)
    }
  })

  test('behavior: tokens that cannot be sold, are taxed, or lack depth have no price', async () => {
    const prices = await priceOf(...['HALT', 'LEVY', 'MIRAGE', 'PYRE'].map(addressOf))
    expect(prices.map(({ reason, usd }) => [usd, reason])).toEqual([
      [null, 'not_sellable'],
      [null, 'taxed'],
      [null, 'shallow'],
      [null, 'not_a_token'],
    ])
  })

  test('behavior: a pool of dust makes no price for a new token', async () => {
    const token = await createToken(devnet, 'USDC')
    await createPair(devnet, [token, addressOf('USDC')], [10n ** 15n, 100n * 10n ** 6n])
    const price = await freshPriceOf(token)
    expect(price).toMatchObject({ usd: null, reason: 'shallow', source: 'chain', symbol: 'USDC' })
    expect(price.block?.number).toBeGreaterThan(0)
  })

  test('behavior: a pool of dust at an absurd price hardly moves that of a real market', async () => {
    const token = await createToken(devnet, 'REAL')
    const deep = [10n ** 24n, 60n * 10n ** 18n] as const
    await createPair(devnet, [token, addressOf('WETH')], deep)
    const before = await freshPriceOf(token)
    const market = (60 * chain().tokens['WETH']!.usd) / 1e6
    expect(Math.abs(Number(before.usd) / market - 1)).toBeLessThan(0.01)
    // One token for 10 USDC, sixty times its price.
    await createPair(devnet, [token, addressOf('USDC')], [10n ** 18n, 10n * 10n ** 6n])
    const after = await freshPriceOf(token)
    expect(Math.abs(Number(after.usd) / market - 1)).toBeLessThan(0.01)
  })
})

describe('GET /api/quote', () => {
  test('behavior: an unlisted token has its symbol and decimals, and a value with usd=1', async () => {
    const { address, decimals } = chain().tokens['MOSS']!
    const amountIn = 100n * 10n ** BigInt(decimals)
    const request = { chain: 'base', in: address, out: 'USDC', amountIn, usd: true }
    const quote = await getQuote(client(), request)
    expect(quote.tokens).toEqual({
      in: { symbol: 'MOSS', decimals, source: 'chain' },
      out: { symbol: 'USDC', decimals: 6, source: 'pinned' },
    })
    const [price] = await priceOf(address)
    expect(Number(quote.usd!.in) / (100 * Number(price!.usd))).toBeCloseTo(1, 9)
    expect(quote.usd!.out).toBe(formatUnits(quote.amountOut, 6))
  })
})
