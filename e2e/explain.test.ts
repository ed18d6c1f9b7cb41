import { createServer as createProxy } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { finderAbi, routerAbi } from '@sluice/abi'
import type { ErrorResponse, QuoteResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import { PlanCall } from '@sluice/domain'
import { createClient, getQuote, getSources, NoRouteError } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import {
  type AbiFunction,
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  maxUint256,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { clientOf, receiptOf, walletOf } from '../packages/devnet/test/clients.js'
import { createToken } from './lib/createMarket.js'
import { runInShell } from './lib/runInShell.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { serveDevnet } from './lib/serveDevnet.js'

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ chainIds: [1] }, (running) => {
  ;({ devnet, server } = running)
})

const chain = () => devnet.chains[0]!
const token = (symbol: string) => chain().tokens[symbol]!
const contracts = () => devnet.deployments.chains['1']!.versions['1.0.0']!

type Explain = NonNullable<QuoteResponse['explain']>
type Asked = Record<string, string>

/** Asks again while nothing could be told: a machine that is busy with other tests may not read everything in time. */
async function ask<answer>(trade: Asked): Promise<answer> {
  const query = new URLSearchParams({ chain: 'eth', explain: '1', ...trade })
  for (;;) {
    const body = await (await fetch(`${server.url}/api/quote?${query}`)).json()
    const { explain } = body as Partial<QuoteResponse>
    if (!explain?.unknown.some((each) => each.startsWith('No node'))) return body as answer
  }
}

const quoteOf = (trade: Asked) => ask<QuoteResponse & { explain: Explain }>(trade)
const refusalOf = (trade: Asked) => ask<ErrorResponse & { explain: Explain }>(trade)

type Leg = { venue: number; pool: string; tokenIn: string; tokenOut: string; key: string }

/** What the Router itself delivers over these pools, all of the input over each: a call of our own, with real transfers. */
async function delivered(legs: readonly Leg[], amountIn: bigint, grossOut: bigint) {
  const wallet = walletOf(devnet, chain())
  const [first, last] = [legs[0]!, legs.at(-1)!]
  const args = [contracts().router, maxUint256] as const
  const approval = { address: first.tokenIn as Address, abi: erc20Abi, args } as const
  await receiptOf(
    clientOf(chain()),
    await wallet.writeContract({ ...approval, functionName: 'approve' }),
  )
  const route = {
    tokenIn: first.tokenIn as Address,
    tokenOut: last.tokenOut as Address,
    amountIn,
    grossOut,
    impactBps: 0n,
    legs: legs.map(({ key, pool, tokenIn, tokenOut, venue }) => ({
      venue,
      pool: pool as Address,
      tokenIn: tokenIn as Address,
      tokenOut: tokenOut as Address,
      key: BigInt(key),
      share: 10n ** 18n,
    })),
  }
  const { timestamp } = await clientOf(chain()).getBlock()
  const { result } = await clientOf(chain()).simulateContract({
    account: devnet.account.address,
    address: contracts().router,
    abi: routerAbi,
    functionName: 'swapExactIn',
    args: [route, amountIn, 1n, devnet.account.address, timestamp + 600n] as never,
  })
  return result as bigint
}

describe('alternatives', () => {
  test('default: the best single pool is what the Router delivers, and no other pool pays more', async () => {
    const amountIn = 40n * 10n ** 18n
    const quote = await quoteOf({ in: 'WETH', out: 'USDC', amountIn: `${amountIn}` })
    const { alternatives, pools, unknown } = quote.explain
    expect(unknown).toEqual([])
    const best = alternatives!.find(({ kind }) => kind === 'single_pool')!
    expect(best.legs).toHaveLength(1)
    const usdc = token('USDC').address
    const direct = pools!.filter(({ tokenOut }) => tokenOut === usdc).slice(0, 7)
    const weth = token('WETH').address
    const outputs = new Map<string, bigint>()
    for (const each of direct.filter(({ tokenIn }) => tokenIn === weth)) {
      const grossOut = BigInt(each.amountOut!)
      const paid = await delivered([each], amountIn, grossOut)
      expect(paid).toBe(grossOut - (grossOut * 28n) / 10_000n)
      outputs.set(each.pool, paid)
    }
    expect(outputs.size).toBeGreaterThan(5)
    expect(outputs.get(best.legs[0]!.pool)).toBe(BigInt(best.amountOut))
    for (const paid of outputs.values()) expect(BigInt(best.amountOut)).toBeGreaterThanOrEqual(paid)
    expect(BigInt(quote.amountOut)).toBeGreaterThan(BigInt(best.amountOut))
  })

  test('default: a pool of Uniswap V2 pays what its own formula says', async () => {
    const amountIn = 3n * 10n ** 18n
    const { explain } = await quoteOf({ in: 'WETH', out: 'USDC', amountIn: `${amountIn}` })
    const [weth, usdc] = [token('WETH').address, token('USDC').address]
    const row = explain.pools!.find(
      ({ tokenIn, tokenOut, venueName }) =>
        venueName === 'uniswap-v2' && tokenIn === weth && tokenOut === usdc,
    )!
    const abi = parseAbi(['function getReserves() view returns (uint112, uint112, uint32)'])
    const [reserve0, reserve1] = await clientOf(chain()).readContract({
      address: row.pool as Address,
      abi,
      functionName: 'getReserves',
    })
    const [held, paid] =
      weth.toLowerCase() < usdc.toLowerCase() ? [reserve0, reserve1] : [reserve1, reserve0]
    const afterFee = amountIn * 997n
    expect(row).toMatchObject({
      amountIn: `${amountIn}`,
      amountOut: `${(afterFee * paid) / (held * 1_000n + afterFee)}`,
      verdict: 'pays',
      kind: 'uniswapV2',
    })
  })

  test('behavior: without a single pool, the best path of two is what the Router delivers', async () => {
    const amountIn = 2_000n * 10n ** BigInt(token('FERN').decimals)
    const fern = token('FERN').address
    const { amountOut, explain } = await quoteOf({ in: fern, out: 'USDC', amountIn: `${amountIn}` })
    expect(explain.alternatives!.map(({ kind }) => kind)).toEqual(['single_path'])
    const [path] = explain.alternatives!
    expect(path!.legs.length).toBeGreaterThan(1)
    const paid = await delivered(path!.legs, amountIn, BigInt(path!.grossOut))
    expect(paid).toBe(BigInt(path!.amountOut))
    expect(BigInt(amountOut)).toBeGreaterThanOrEqual(paid)
  })

  test('behavior: says whether the floor or `slippageBps` decides', async () => {
    const trade = { in: 'WETH', out: 'USDC', amountIn: `${10n ** 18n}` }
    const wide = await quoteOf({ ...trade, slippageBps: '500' })
    const least = (BigInt(wide.amountOut) * 9_500n + 9_999n) / 10_000n
    expect(wide.explain.minimum).toEqual({
      bySlippage: `${least}`,
      floor: wide.quote!.ironFloor,
      effective: wide.quote!.ironFloor,
      decidedBy: 'floor',
    })
    expect(wide.warnings!.map(({ code }) => code)).toContain('floor_above_slippage')
    const narrow = await quoteOf({ ...trade, slippageBps: '10' })
    expect(narrow.explain.minimum).toMatchObject({
      decidedBy: 'slippageBps',
      effective: narrow.quote!.effectiveMinOut,
    })
  })
})

describe('call', () => {
  test('default: both commands are the call that was made, on its block', async () => {
    const trade = { in: 'WETH', out: 'USDC', amountIn: `${25n * 10n ** 18n}` }
    const { explain, meta, quote } = await quoteOf({ ...trade, gasPrice: '3000000000' })
    const { cast, connectors, curl, gasPriceWei } = explain.call!
    expect(gasPriceWei).toBe('3000000000')
    expect([cast, curl].join()).not.toContain(chain().rpcUrl)
    const { result } = JSON.parse(await runInShell(curl!, chain().rpcUrl))
    const plan = PlanCall.decode(result)
    expect([`${plan.netOut}`, plan.witness.blockNumber]).toEqual([
      quote!.netOut,
      BigInt(meta!.blockNumber!),
    ])
    const [, to, signature, tokenIn, tokenOut, amount, options, block] =
      /^cast call (\S+) '(\S+)' (\S+) (\S+) (\d+) '(\S+)' --block (\d+) --gas-limit \d+ --rpc-url "\$RPC_URL"$/.exec(
        cast!,
      )!
    expect([to, block, options]).toEqual([
      contracts().quoter,
      String(meta!.blockNumber),
      `(3000000000,[${connectors.join()}],0,[])`,
    ])
    const abi = parseAbi([
      'function previewPlan(address,address,uint256,(uint256,address[],uint256,uint256[])) view returns (bytes)',
    ])
    expect(signature).toBe(
      'previewPlan(address,address,uint256,(uint256,address[],uint256,uint256[]))',
    )
    const args = [tokenIn, tokenOut, BigInt(amount!), [3_000_000_000n, connectors, 0n, []]] as never
    expect(encodeFunctionData({ abi, functionName: 'previewPlan', args })).toBe(meta!.call!.data)
  })

  test('behavior: the call of a dry run brings its input', async () => {
    const trade = { in: 'WETH', out: 'USDC', amountIn: `${10n ** 18n}`, exact: '1' }
    // The first dry runs go without, if the token's balance slot is not found in time.
    await expect.poll(async () => (await quoteOf(trade)).meta!.call!.stateOverride).toBeDefined()
    const { explain, meta, quote } = await quoteOf(trade)
    const { result } = JSON.parse(await runInShell(explain.call!.curl!, chain().rpcUrl))
    expect(`${PlanCall.decode(result).netOut}`).toBe(quote!.netOut)
    const [[account, { stateDiff }]] = Object.entries(meta!.call!.stateOverride!) as [
      [string, { stateDiff: Record<string, string> }],
    ]
    const [[slot, value]] = Object.entries(stateDiff) as [[string, string]]
    expect(explain.call!.cast).toContain(` --override-state-diff ${account}:${slot}:${value} `)
  })
})

test('behavior: an explanation costs at most six node requests beside the quote', async () => {
  let requests = 0
  const [findMarket] = finderAbi.filter((item) => 'name' in item && item.name === 'findMarket')
  const selector = toFunctionSelector(findMarket as AbiFunction).slice(2)
  // The Lens is placed at an address of these letters.
  const lens = Buffer.from('Lens').toString('hex')
  const proxy = createProxy(async (request, response) => {
    const body = await text(request)
    if (body.includes(selector) || body.includes(`${lens}"`)) requests++
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(chain().rpcUrl, { method: 'POST', headers, body })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const counted = await serveDevnet(devnet, {
    rpcUrls: new Map([[1, [`http://127.0.0.1:${port}`]]]),
  })
  const costOf = async (trade: Asked) => {
    const query = new URLSearchParams({ chain: 'eth', gasPrice: '0', ...trade })
    const before = requests
    const { status } = await fetch(`${counted.url}/api/quote?${query}`)
    return { status, cost: requests - before }
  }
  try {
    const kelp = token('KELP').address
    for (const trade of [
      { in: 'WETH', out: 'USDC', amountIn: `${10n ** 18n}` },
      { in: kelp, out: 'USDC', amountIn: '1' },
    ]) {
      // Reads the token's decimals, which are kept.
      const plain = await costOf(trade)
      const explained = await costOf({ ...trade, explain: '1' })
      expect(explained.status).toBe(plain.status)
      expect((await costOf(trade)).cost).toBe(0)
      expect(explained.cost).toBeGreaterThanOrEqual(3)
      expect(explained.cost).toBeLessThanOrEqual(6)
    }
  } finally {
    await counted.stop()
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  }
})

describe('no_route', () => {
  test('default: a token without pools: every venue was searched and found none', async () => {
    const lonely = getAddress(await createToken(devnet, 'LONE'))
    const { code, details, explain } = await refusalOf({
      in: lonely,
      out: 'USDC',
      amountIn: '1000000000000000000',
    })
    expect([code, details!.map((each) => each.code)]).toEqual(['no_route', ['no_pools']])
    expect(explain).toMatchObject({ poolsOmitted: 0, truncated: false, leftOut: [] })
    const silent = [
      ...['uniswap-v4', 'balancer-v2-factory', 'balancer-v3', 'uniswap-v4-hooks'],
      'fluid-dex-lite',
    ]
    expect(explain.unknown).toEqual(
      silent.map((name) => `The factory of ${name} does not tell which pools exist.`),
    )
    expect(explain.pools!.filter(({ tokenIn }) => tokenIn === lonely)).toEqual([])
    expect(explain.venues!.map(({ venueName }) => venueName)).toContain('uniswap-v3')
    expect(explain.call!.to).toBe(contracts().quoter)
    expect(explain.alternatives).toEqual([])
  })

  test('behavior: a pool that exists without liquidity is told from none', async () => {
    const lonely = getAddress(await createToken(devnet, 'HOLLOW'))
    const usdc = token('USDC').address
    const { sources } = await getSources(createClient({ baseUrl: server.url }), { chain: 'eth' })
    const factory = sources.find(({ venueName }) => venueName === 'uniswap-v2')!.factory
    const abi = parseAbi([
      'function createPair(address a, address b) returns (address)',
      'function getPair(address a, address b) view returns (address)',
    ])
    const at = { address: factory as Address, abi, args: [lonely, usdc] } as const
    const wallet = walletOf(devnet, chain())
    const created = await wallet.writeContract({ ...at, functionName: 'createPair' })
    await receiptOf(clientOf(chain()), created)
    const pool = await clientOf(chain()).readContract({ ...at, functionName: 'getPair' })
    const { details, explain } = await refusalOf({ in: lonely, out: 'USDC', amountIn: '1000' })
    expect(details!.map((each) => each.code)).toEqual(['no_pools'])
    expect(explain.leftOut).toEqual([
      { venue: 1, venueName: 'uniswap-v2', pool, tokenIn: lonely, tokenOut: usdc },
    ])
  })

  test('behavior: an output that rounds to zero', async () => {
    const fern = token('FERN').address
    const { details, explain } = await refusalOf({ in: fern, out: 'WBTC', amountIn: '1' })
    expect(details!.map((each) => each.code)).toEqual(['nothing_out'])
    const own = explain.pools!.filter(({ tokenIn }) => tokenIn === fern)
    expect(own.length).toBeGreaterThan(0)
    expect(own.map(({ verdict }) => verdict)).toEqual(own.map(() => 'rounds_to_zero'))
  })

  test('behavior: a token that cannot be sold: the route whose dry run failed', async () => {
    const halt = token('HALT').address
    const trade = { in: halt, out: 'WETH', amountIn: `${10n ** 18n}`, exact: '1' }
    const { details, explain } = await refusalOf(trade)
    expect(explain.failed).toMatchObject({
      code: details![0]!.code,
      legs: [{ tokenIn: halt, tokenOut: token('WETH').address, venueName: 'uniswap-v2' }],
    })
    expect(explain.pools!.map(({ verdict }) => verdict)).toContain('pays')
  })

  test('behavior: items of a batch, and the SDK', async () => {
    const client = createClient({ baseUrl: server.url })
    const trade = { chain: 'eth', in: token('FERN').address, out: 'WBTC', amountIn: 1n }
    const error = await getQuote(client, { ...trade, explain: true }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(NoRouteError)
    expect(error.explain.pools[0].verdict).toBe('rounds_to_zero')
    const quote = await getQuote(client, {
      ...{ chain: 'eth', in: 'WETH', out: 'USDC', amountIn: 10n ** 18n },
      explain: true,
    })
    const [best] = quote.explain!.alternatives!
    expect(typeof best!.amountOut).toBe('bigint')
    const item = { chain: 1, in: 'WETH', out: 'USDC', amountIn: `${10n ** 18n}`, explain: true }
    const response = await fetch(`${server.url}/api/quote/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests: [item, { ...item, explain: false }] }),
    })
    const { results } = (await response.json()) as { results: QuoteResponse[] }
    expect(results.map(({ explain }) => explain?.alternatives?.at(0)?.amountOut)).toEqual([
      String(best!.amountOut),
      undefined,
    ])
  })
})
