import {
  createHookedPool,
  type Devnet,
  fund,
  type HookedSpec,
  hookedPool,
  poolWithDevHook,
  positionManager,
} from '@sluice/devnet'
import { createClient, getQuote, type Quote } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import { type Address, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPair, createToken } from './lib/createMarket.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'
import { send, swapQuote } from './lib/swapQuote.js'
import { untilIndexed } from './lib/untilIndexed.js'

const chainId = 1
const whole = 10n ** 18n
/** Uniswap V4's PoolManager on Ethereum. */
const manager: Address = '0x000000000004444c5dc75cB358380D2e3dE08A90'

let devnet: Devnet
let server: RunningServer
/** A token whose only pool has hooks. */
let launched: Address
/** A token with such a pool, and with ten others that look ten times as deep. */
let crowded: Address
/** A token with such a pool, and a small one of Uniswap V2. */
let traded: Address
let pools: ReadonlyMap<Address, Hex>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  launched = await createToken(devnet, 'NEW')
  crowded = await createToken(devnet, 'MANY')
  traded = await createToken(devnet, 'KNOWN')
  await createPair(devnet, [traded, usdc()], [10_000n * whole, 20_000n * 10n ** 6n])
  pools = new Map([
    [launched, await launch(launched)],
    [crowded, await launch(crowded)],
    [traded, await launch(traded)],
  ])
  for (let spacing = 1; spacing <= 10; spacing++) await launch(crowded, spacing)
  server = await serveDevnet(devnet, { poolIndex: ':memory:' })
  await untilIndexed(server)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const usdc = () => devnet.chains[0]!.tokens['USDC']!.address

/**
 * Creates a pool with hooks, of a million tokens and two million dollars.
 *
 * @param narrow The tick spacing of one with ten times the liquidity, all of it between two ticks: with less than a hundredth of
 * that.
 */
async function launch(token: Address, narrow?: number): Promise<Hex> {
  const account = devnet.account.address
  const sides = [
    { address: token, amount: 10n ** 6n * whole },
    { address: usdc(), amount: 2n * 10n ** 12n },
  ].sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  const tokens = sides.map(({ address }) => address) as [Address, Address]
  const amounts = sides.map(({ amount }) => amount) as [bigint, bigint]
  const wide = poolWithDevHook({ tokens, amounts })
  const spec = narrow === undefined ? wide : narrowed(wide, narrow, amounts)
  const held = amounts.map((amount) => (narrow === undefined ? amount : amount / 100n))
  await send(devnet, fund(account, { tokens, amounts: held, to: positionManager }))
  for (const each of createHookedPool(spec, { account, manager })) await send(devnet, each)
  return hookedPool(spec)
}

function narrowed(
  { key, ranges, sqrtPriceX96 }: HookedSpec,
  tickSpacing: number,
  [amount0, amount1]: readonly [bigint, bigint],
): HookedSpec {
  const tick = Math.log(Number(amount1) / Number(amount0)) / Math.log(1.0001)
  const tickLower = Math.floor(tick / tickSpacing) * tickSpacing
  const liquidity = 10n * ranges[0]!.liquidity
  const range = { tickLower, tickUpper: tickLower + tickSpacing, liquidity }
  return { key: { ...key, tickSpacing }, sqrtPriceX96, ranges: [range] }
}

function ask(token: Address, out: Address, more: object = {}): Promise<Quote> {
  const client = createClient({ baseUrl: server.url })
  return getQuote(client, { chain: chainId, in: token, out, amountIn: 1_000n * whole, ...more })
}

test('default: the first quote for a token sells it on its only pool, which has hooks, and the swap pays it', async () => {
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  const quote = await ask(launched, devnet.chains[0]!.tokens['USDT']!.address, { recipient })
  expect(quote.meta!.pools).toEqual([pools.get(launched)])
  expect(quote.route.legs[0]).toMatchObject({
    tokenIn: getAddress(launched),
    venueName: 'uniswap-v4-hooks',
    hooked: true,
  })
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
})

test('behavior: pools that only look deep do not hide the one that is', async () => {
  const quote = await ask(crowded, usdc())
  expect(quote.meta!.pools).toContain(pools.get(crowded))
  expect(quote.amountOut).toBeGreaterThan(1_980n * 10n ** 6n)
})

test('behavior: beside other pools it is used once it was tried, because its floor is above what those pay', async () => {
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  const first = await ask(traded, usdc())
  expect(first.meta!.pools).toBeUndefined()
  const poolsOf = async () => {
    // Background searches wait until nobody asks.
    await new Promise((resolve) => setTimeout(resolve, 500))
    return (await ask(traded, usdc())).meta!.pools
  }
  await expect.poll(poolsOf, { timeout: 20_000 }).toEqual([pools.get(traded)])
  const quote = await ask(traded, usdc(), { recipient })
  expect(quote.quote!.ironFloor).toBeGreaterThan(first.amountOut)
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
})

test('behavior: a caller who excludes the venue gets no route', async () => {
  const excluded = ask(launched, usdc(), { excludeSources: 'uniswap-v4-hooks' })
  await expect(excluded).rejects.toMatchObject({ code: 'no_route' })
})
