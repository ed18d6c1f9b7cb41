import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, prepareQuote, type Quote } from '@sluice/sdk'
import { readRegistry } from '@sluice/sdk/verify'
import { repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWallet } from './lib/openWallet.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'
import { swapQuote } from './lib/swapQuote.js'
import { untilIndexed } from './lib/untilIndexed.js'
import type { Wallet } from './lib/walletOn.js'

const chainId = 1
let devnet: Devnet
let server: RunningServer
let wallet: Wallet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  server = await serveDevnet(devnet, { poolIndex: ':memory:' })
  wallet = openWallet(devnet)
  await untilIndexed(server)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const service = () => createClient({ baseUrl: server.url })
const tokenOf = (symbol: string) => devnet.chains[0]!.tokens[symbol]!

function ask(tokenIn: string, tokenOut: string, whole: bigint, more: object = {}): Promise<Quote> {
  const amountIn = whole * 10n ** BigInt(tokenOf(tokenIn).decimals)
  const pair = { in: tokenOf(tokenIn).address, out: tokenOf(tokenOut).address }
  return getQuote(service(), { chain: chainId, ...pair, amountIn, ...more })
}

test.each([
  ['balancer-v2-factory', 'LINK', 'UNI', 50_000n],
  ['balancer-v3', 'USDe', 'USDC', 2_000_000n],
] as const)(
  'default: the first quote uses a pool of %s that the caller never named, and the swap pays it',
  async (venue, tokenIn, tokenOut, whole) => {
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    const quote = await ask(tokenIn, tokenOut, whole, { recipient })
    expect(quote.meta!.pools).toContain(devnet.chains[0]!.hinted[venue])
    expect(quote.route.legs.map(({ venueName }) => venueName)).toContain(venue)

    expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
  },
)

test('default: a quote without the pool pays less, and whoever repeats the quote finds the same', async () => {
  const quote = await ask('LINK', 'UNI', 40_000n)
  // A caller who names a hint gets no other.
  const without = await ask('LINK', 'UNI', 40_000n, { connectors: [tokenOf('WETH').address] })
  expect(without.meta!.pools).toBeUndefined()
  expect(quote.amountOut).toBeGreaterThan(without.amountOut)
  const options = { registry: readRegistry(devnet.deployments), maxBlockAgeSec: Infinity }
  const { isSame } = await repeatQuote(wallet, quote, options)
  expect(isSame).toBe(true)
})

test('behavior: a prepared call and an exact output contain the pool', async () => {
  const pool = devnet.chains[0]!.hinted['balancer-v2-factory']
  const pair = { chain: chainId, in: tokenOf('LINK').address, out: tokenOf('UNI').address }
  const wanted = { ...pair, amountOut: 30_000n * 10n ** 18n }
  const prepared = await prepareQuote(service(), wanted)
  expect(prepared.request.pools).toContain(pool)
  const quote = await getQuote(service(), wanted)
  expect(quote.meta!.pools).toContain(pool)
})

test('behavior: a trade keeps only the pools that its route uses, once they were tried', async () => {
  const used = [devnet.chains[0]!.hinted['balancer-v3']]
  const poolsOf = async () => {
    // Background searches wait until nobody asks.
    await new Promise((resolve) => setTimeout(resolve, 500))
    return (await ask('USDe', 'USDC', 1_000_000n)).meta!.pools
  }
  await expect.poll(poolsOf, { timeout: 20_000 }).toEqual(used)
})

test('behavior: the sources count the pools that were announced', async () => {
  const { sources } = (await (await fetch(`${server.url}/api/sources?chain=eth`)).json()) as Sources
  const counted = sources.filter(({ venueName }) => venueName.startsWith('balancer-v'))
  expect(counted.map(({ pools }) => pools)).toEqual(counted.map(() => expect.any(Number)))
  for (const { pools } of counted) expect(pools).toBeGreaterThan(0)
})

type Sources = { sources: { venueName: string; pools: number | null }[] }
