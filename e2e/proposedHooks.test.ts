import {
  createHookedPool,
  type Devnet,
  fund,
  type HookedSpec,
  hookedPool,
  poolWithDevHook,
  positionManager,
} from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { type Address, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPair, createToken } from './lib/createMarket.js'
import {
  chainId,
  expectUsedOnceTried,
  manager,
  newRecipient,
  quoteSale,
  sidesWith,
  tokenOf,
  whole,
} from './lib/hookedMarket.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'
import { send, swapQuote } from './lib/swapQuote.js'
import { untilIndexed } from './lib/untilIndexed.js'

let devnet: Devnet
let server: RunningServer
let usdc: Address
/** A token whose only pool has hooks. */
let launched: Address
/** A token with such a pool, and with ten others that look ten times as deep. */
let crowded: Address
/** A token with such a pool, and a small one of Uniswap V2. */
let traded: Address
let pools: ReadonlyMap<Address, Hex>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  usdc = tokenOf(devnet, 'USDC')
  launched = await createToken(devnet, 'NEW')
  crowded = await createToken(devnet, 'MANY')
  traded = await createToken(devnet, 'KNOWN')
  await createPair(devnet, [traded, usdc], [10_000n * whole, 20_000n * 10n ** 6n])
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

/**
 * Creates a pool with hooks, of a million tokens and two million dollars.
 *
 * @param narrow The tick spacing of one with ten times the liquidity, all of it between two ticks: with less than a hundredth of
 * that.
 */
async function launch(token: Address, narrow?: number): Promise<Hex> {
  const account = devnet.account.address
  const { amounts, tokens } = sidesWith(devnet, token)
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

test('default: the first quote for a token sells it on its only pool, which has hooks, and the swap pays it', async () => {
  const recipient = newRecipient()
  const quote = await quoteSale(server, launched, tokenOf(devnet, 'USDT'), { recipient })
  expect(quote.meta!.pools).toEqual([pools.get(launched)])
  expect(quote.route.legs[0]).toMatchObject({
    tokenIn: getAddress(launched),
    venueName: 'uniswap-v4-hooks',
    hooked: true,
  })
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
})

test('behavior: pools that only look deep do not hide the one that is', async () => {
  const quote = await quoteSale(server, crowded, usdc)
  expect(quote.meta!.pools).toContain(pools.get(crowded))
  expect(quote.amountOut).toBeGreaterThan(1_980n * 10n ** 6n)
})

test('behavior: beside other pools it is used once it was tried, because its floor is above what those pay', async () => {
  await expectUsedOnceTried(devnet, server, { token: traded, pool: pools.get(traded)! })
})

test('behavior: a caller who excludes the venue gets no route', async () => {
  const excluded = quoteSale(server, launched, usdc, { excludeSources: 'uniswap-v4-hooks' })
  await expect(excluded).rejects.toMatchObject({ code: 'no_route' })
})
