import { hubAbi, uniswapV4HooksAdapterAbi } from '@sluice/abi'
import { createRpc } from '@sluice/deploy'
import { createHookedPool, type Devnet, fund, type HookedSpec, hookedPool } from '@sluice/devnet'
import { createClient, getQuote } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  flags,
  type HookFixture,
  hookAddress,
  installHook,
} from '../bench/quality/made/annexes/hooks.js'
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
import { openWallet } from './lib/openWallet.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'
import { send, swapQuote } from './lib/swapQuote.js'
import { untilIndexed } from './lib/untilIndexed.js'

const tickSpacing = 60
/** A price of one: the hooks ignore it. */
const sqrtPriceX96 = 2n ** 96n

let devnet: Devnet
let server: RunningServer
let usdc: Address
/** A token whose only pool has a hook that keeps all reserves, and twelve pools beside it whose hooks keep nothing or pay later. */
let launched: Address
/** A token with such a pool, and a small one of Uniswap V2. */
let traded: Address
let pools: ReadonlyMap<Address, Hex>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  usdc = tokenOf(devnet, 'USDC')
  launched = await createToken(devnet, 'NEW')
  traded = await createToken(devnet, 'KNOWN')
  await createPair(devnet, [traded, usdc], [10_000n * whole, 20_000n * 10n ** 6n])
  for (let number = 0; number < 6; number++) {
    await launch(launched, { fixture: 'CurveHook', name: `empty ${number}` })
    await launch(launched, { fixture: 'AsyncHook', name: `late ${number}` })
  }
  pools = new Map([
    [launched, await launch(launched, { isRich: true })],
    [traded, await launch(traded, { isRich: true })],
  ])
  server = await serveDevnet(devnet, { poolIndex: ':memory:' })
  await untilIndexed(server)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

/** Creates a pool without liquidity, and announces it. The hook of a rich one has a million tokens and two million dollars. */
async function launch(
  token: Address,
  {
    fixture = 'CurveHook',
    isRich = false,
    name = `rich ${token}`,
  }: { fixture?: HookFixture; isRich?: boolean; name?: string },
): Promise<Hex> {
  const rpc = createRpc(devnet.chains[0]!.rpcUrl)
  const account = devnet.account.address
  const hooks = hookAddress(name, flags.beforeSwap | flags.beforeSwapDelta)
  await installHook(rpc, { at: hooks, fixture, args: [manager] })
  const { amounts, tokens } = sidesWith(devnet, token)
  if (isRich) await send(devnet, fund(account, { tokens, amounts, to: hooks }))
  const key = { currency0: tokens[0], currency1: tokens[1], fee: 0, tickSpacing, hooks }
  const spec: HookedSpec = { key, sqrtPriceX96, ranges: [] }
  const [initialize] = createHookedPool(spec, { account, manager })
  await send(devnet, initialize!)
  await send(devnet, {
    to: await adapter(),
    data: encodeFunctionData({
      abi: uniswapV4HooksAdapterAbi,
      functionName: 'announce',
      args: [key],
    }),
  })
  return hookedPool(spec)
}

async function adapter(): Promise<Address> {
  const { hub } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  const venues = await openWallet(devnet).readContract({
    address: hub,
    abi: hubAbi,
    functionName: 'venues',
  })
  return venues[devnet.chains[0]!.venues.indexOf('uniswap-v4-hooks')]!.venue.deployer
}

test('default: the first quote for a token sells it on its only pool, whose hook keeps all reserves, and the swap pays it', async () => {
  const recipient = newRecipient()
  const quote = await quoteSale(server, launched, tokenOf(devnet, 'USDT'), { recipient })
  expect(quote.meta!.pools).toEqual([pools.get(launched)])
  expect(quote.route.legs[0]).toMatchObject({
    tokenIn: getAddress(launched),
    venueName: 'uniswap-v4-hooks',
    hooked: true,
  })
  expect(quote.amountOut).toBeGreaterThan(1_980n * 10n ** 6n)
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
})

test('behavior: a token is bought there too', async () => {
  const recipient = newRecipient()
  const client = createClient({ baseUrl: server.url })
  const trade = { chain: chainId, in: usdc, out: launched, amountIn: 2_000n * 10n ** 6n }
  const quote = await getQuote(client, { ...trade, recipient })
  expect(quote.meta!.pools).toEqual([pools.get(launched)])
  expect(quote.amountOut).toBeGreaterThan(990n * whole)
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
})

test('behavior: a token is bought there with one that the pool does not hold', async () => {
  const client = createClient({ baseUrl: server.url })
  const trade = {
    chain: chainId,
    in: tokenOf(devnet, 'USDT'),
    out: launched,
    amountIn: 2_000n * 10n ** 6n,
  }
  const quote = await getQuote(client, trade)
  expect(quote.meta!.pools).toEqual([pools.get(launched)])
  expect(quote.amountOut).toBeGreaterThan(985n * whole)
})

test('behavior: beside other pools it is used once it was tried, because its floor is above what those pay', async () => {
  await expectUsedOnceTried(devnet, server, { token: traded, pool: pools.get(traded)! })
})
