import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  DecodeResponse,
  PrepareResponse,
  QuoteResponse,
  StatsResponse,
  XrayResponse,
} from '@sluice/api'
import { deployGeneration, parseChainConfig } from '@sluice/deploy'
import { type Devnet, type Fork, startDevnet, startFork } from '@sluice/devnet'
import type { Deployments } from '@sluice/domain'
import { askNodeAt, followPools, openPoolStore } from '@sluice/engine'
import { createClient, streamQuote } from '@sluice/sdk'
import { type RunningServer, type ServerConfig, startServer } from '@sluice/server'
import {
  type Address,
  createWalletClient,
  defineChain,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  parseAbiItem,
  publicActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { type FakeMarket, startFakeMarket } from '../packages/engine/test/fakeMarket.js'
import { type ForkedChain, notForked, readForks } from './lib/forks.js'

const chains = readForks(process.env)
const missing = notForked(chains)
if (missing !== undefined) console.log(missing)

/** The chain that stands in for a real one: its venues are at their real addresses. */
const standInId = 8453
const amountIn = 10n ** 16n
/** Blocks before the fork whose pools are read. */
const poolBlocks = 200
const wethAbi = parseAbi(['function deposit() payable'])
const factoryAbi = parseAbi([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
])
/** Dexscreener's names of the chains. */
const slugs: Readonly<Record<number, string>> = {
  ...{ 8453: 'base', 1: 'ethereum', 10: 'optimism', 42161: 'arbitrum' },
}
const poolCreated = parseAbiItem(
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
)
/** A fork reads storage from its node slot by slot. */
const nodeTimes = { preview: 200_000, exact: 200_000 }

describe('a fork of a development chain', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ port: 0, chainIds: [standInId], isDeployed: false })
  })
  afterAll(async () => {
    await devnet?.stop()
  })
  const standIn = chains.find(({ chainId }) => chainId === standInId)!
  testOnFork(standIn, () => devnet.chains[0]!.rpcUrl)

  test('error: the node is of another chain', async () => {
    const url = devnet.chains[0]!.rpcUrl
    await expect(startFork({ chainId: 10, url })).rejects.toMatchObject({
      code: 'FORK_FAILED',
      message: 'The node to fork is on chain 8453, not on 10.',
    })
  })
})

for (const chain of chains)
  if (chain.url !== undefined)
    describe(`a fork of chain ${chain.chainId}`, () => testOnFork(chain, () => chain.url!))

describe('which chains are forked', () => {
  test('default: those that the environment names', () => {
    const forks = readForks({ RPC_10_FORK: 'https://node.example/key', RPC_1_FORK: '' })
    const given = forks.map(({ chainId, url }) => [chainId, url])
    expect(Object.fromEntries(given)).toEqual({
      1: undefined,
      4663: undefined,
      10: 'https://node.example/key',
      8453: undefined,
      42161: undefined,
    })
    expect(notForked(forks)).toMatch(
      /^THE END-TO-END TESTS DID NOT RUN ON FORKS OF CHAINS 1, 42161, 4663, 8453: set RPC_<chain id>_FORK/,
    )
    const all = forks.map((fork) => ({ ...fork, url: 'https://node.example' }))
    expect(notForked(all)).toBeUndefined()
  })

  test('error: no message contains the URL', async () => {
    expect(() => readForks({ RPC_10_FORK: 'ws://node.example/SECRET' })).toThrow(
      'RPC_10_FORK must be an http or https URL.',
    )
    const silent = createServer((_, response) => response.destroy())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const failed = startFork({ chainId: 10, url: `http://127.0.0.1:${port}/SECRET` })
    await expect(failed).rejects.toThrow(
      'The node did not answer eth_chainId. Check that it runs and that its URL is correct.',
    )
    silent.close()
  })
})

/** Quotes, deploys, swaps and indexes on a fork, with the chain's real config. */
function testOnFork({ chainId, config }: ForkedChain, urlOf: () => string): void {
  const { name, usdc, wrappedNative: weth } = parseChainConfig(config)
  const trade = { chain: `${chainId}`, in: weth, out: usdc, amountIn: `${amountIn}` }
  const account = privateKeyToAccount(generatePrivateKey())
  const deployerKey = generatePrivateKey()
  let fork: Fork
  let market: FakeMarket
  /** Services without deployments and with them. */
  let bare: RunningServer
  let server: RunningServer

  const serve = async (deployments: Deployments.Deployments, changes: Partial<ServerConfig> = {}) =>
    await startServer({
      ...{ port: 0, deployments, rpcUrls: new Map([[chainId, [fork.rpcUrl]]]), nodeTimes },
      ...{ logLevel: 'silent', maxBlockAge: 'off', maxLoopDelayMs: 0 },
      marketData: [{ kind: 'dexscreener', name: 'market', url: market.url }],
      ...changes,
    })

  beforeAll(async () => {
    fork = await startFork({ chainId, url: urlOf() })
    market = await startFakeMarket()
    const rich = `0x${(10n ** 21n).toString(16)}`
    for (const each of [account, privateKeyToAccount(deployerKey)])
      await fork.rpc.request('hardhat_setBalance', [each.address, rich])
    bare = await serve({ schema: 1, chains: {} })
  }, 600_000)
  afterAll(async () => {
    await server?.stop()
    await bare?.stop()
    await market?.close()
    await fork?.stop()
  })

  const quoteAt = async (service: RunningServer, query: object = {}) =>
    await read<QuoteResponse>(
      await fetch(`${service.url}/api/quote?${new URLSearchParams({ ...trade, ...query })}`),
    )

  test('default: if nothing is deployed, a quote, and the same on the fork itself', async () => {
    const quote = await quoteAt(bare, { gasPrice: '0', recipient: account.address })
    expect([quote.quote?.canExecute, quote.tx]).toEqual([true, undefined])
    expect(quote.txReason).toMatch(/^The Router is not deployed on /)
    const query = new URLSearchParams({ ...trade, gasPrice: '0' })
    const prepared = await read<PrepareResponse>(
      await fetch(`${bare.url}/api/quote/prepare?${query}`),
    )
    const { method, params } = prepared.rpcRequest
    const result = await fork.rpc.request(method, params as unknown[])
    const decoded = await read<DecodeResponse>(
      await fetch(`${bare.url}/api/quote/decode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ request: prepared.request, result }),
      }),
    )
    expect(decoded.amountOut).toBe(quote.amountOut)
  }, 600_000)

  test('default: deploys, and a swap delivers its quote to the wei', async () => {
    const options = { config: parseChainConfig(config), key: deployerKey }
    const { deployments, transactions } = await deployGeneration(fork.rpc, options)
    expect(transactions.length).toBeGreaterThan(8)
    const swapFirstBlocks = new Map([[chainId, fork.forkBlock]])
    server = await serve(deployments, {
      ...{ swapFirstBlocks, swapIndex: { path: ':memory:' }, swapIndexMs: 100, statsCacheMs: 50 },
    })
    const wallet = walletOf()
    const send = async (hash: Promise<`0x${string}`>) => {
      expect((await receiptOf(wallet, await hash)).status).toBe('success')
    }
    const deposit = { address: weth, abi: wethAbi, functionName: 'deposit' } as const
    await send(wallet.writeContract({ ...deposit, value: 10n * amountIn }))
    const { tx: first } = await quoteAt(server, { recipient: account.address })
    const args = [first!.to as Address, 10n * amountIn] as const
    await send(
      wallet.writeContract({ address: weth, abi: erc20Abi, functionName: 'approve', args }),
    )
    const { amountOut, quote, tx } = await quoteAt(server, { recipient: account.address })
    const gas = (BigInt(quote!.estGas) * 13n) / 10n
    const before = await balanceOf(usdc)
    await send(wallet.sendTransaction({ ...callOf(tx!), gas }))
    expect((await balanceOf(usdc)) - before).toBe(BigInt(amountOut))
  }, 900_000)

  test('default: an exact quote equals the preview', async () => {
    const [preview, exact] = [await quoteAt(server), await quoteAt(server, { exact: '1' })]
    expect([exact.mode, exact.amountOut]).toEqual(['exact', preview.amountOut])
    expect(exact.route).toEqual(preview.route)
  }, 600_000)

  test('default: a stream has a quote for a block in which a price moved', async () => {
    const client = createClient({ baseUrl: server.url })
    const amounts: bigint[] = []
    for await (const { amountOut } of streamQuote(client, trade)) {
      amounts.push(amountOut)
      if (amounts.length === 2) break
      const { tx } = await quoteAt(server, {
        recipient: account.address,
        amountIn: `${5n * amountIn}`,
      })
      const hash = await walletOf().sendTransaction({ ...callOf(tx!), gas: 10_000_000n })
      expect((await receiptOf(walletOf(), hash)).status).toBe('success')
    }
    expect(amounts[1]).toBeLessThan(amounts[0]!)
  }, 600_000)

  test('default: the index of swaps has both', async () => {
    const fills = async () => {
      const stats = await read<StatsResponse>(await fetch(`${server.url}/api/stats`))
      return stats.chains.find((chain) => chain.chainId === chainId)?.fills
    }
    await expect.poll(fills, { timeout: 60_000 }).toBe(2)
  }, 600_000)

  test('default: the index of pools has those of the last blocks', async () => {
    const { venues } = parseChainConfig(config)
    const factories = venues.map(({ factory }) => factory)
    const firstBlock = Math.max(0, fork.forkBlock - poolBlocks)
    const store = openPoolStore(':memory:')
    const ask = askNodeAt(chainId, fork.rpcUrl)
    const cursor = await followPools({ ask, store, chainId, factories, firstBlock })
    const head = await walletOf().getBlockNumber()
    expect(cursor.number).toBe(Number(head))
    const address = venues.filter(({ kind }) => kind === 'uniswapV3').map((each) => each.factory)
    const logs = await walletOf().getLogs({
      ...{ address, event: poolCreated, strict: true },
      ...{ fromBlock: BigInt(firstBlock), toBlock: head },
    })
    for (const { args } of logs) {
      const near = store.neighbors(chainId, lower(args.token0), 10_000)
      expect(near.map(lower)).toContain(lower(args.token1))
    }
    expect(store.count(chainId)).toBeGreaterThanOrEqual(logs.length)
  }, 600_000)

  const slug = slugs[chainId]
  const xray = async () => {
    const { factory } = parseChainConfig(config).venues.find(({ id }) => id === 'uniswap-v3')!
    const pool = await walletOf().readContract({
      ...{ address: factory, abi: factoryAbi, functionName: 'getPool', args: [weth, usdc, 500] },
    })
    const [base, quote] = [await balanceOf(weth, pool), await balanceOf(usdc, pool)]
    market.answer = [
      {
        ...{ chainId: slug, dexId: 'uniswap', labels: ['v3'], pairAddress: pool },
        url: `https://dexscreener.com/${slug}/${pool.toLowerCase()}`,
        baseToken: { address: weth, name: 'Wrapped Ether', symbol: 'WETH' },
        quoteToken: { address: usdc, name: 'USD Coin', symbol: 'USDC' },
        ...{ priceNative: '3000', priceUsd: '3000' },
        liquidity: { usd: 1e6, base: Number(base) / 1e18, quote: (2 * Number(quote)) / 1e6 },
      },
    ]
    const url = `${server.url}/api/xray?chain=${chainId}&token=${weth}`
    const { pools, tax } = await read<XrayResponse>(await fetch(url))
    expect(pools).toMatchObject([
      {
        pair: pool,
        base: { token: weth, balance: `${base}`, deltaBps: 0 },
        quote: { token: usdc, balance: `${quote}`, deltaBps: -5_000 },
      },
    ])
    expect(tax).toMatchObject({ buyBps: 0, sellBps: 0, transferBps: 0, reason: null })
  }
  // No market data source has the other chains.
  if (slug !== undefined)
    test('default: the x-ray compares what a market reports with the chain', xray, 600_000)

  function walletOf() {
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const rpcUrls = { default: { http: [fork.rpcUrl] } }
    return createWalletClient({
      account,
      chain: defineChain({ id: chainId, name, nativeCurrency, rpcUrls }),
      transport: http(fork.rpcUrl, { retryCount: 0, timeout: 300_000 }),
      pollingInterval: 20,
    }).extend(publicActions)
  }

  async function balanceOf(token: Address, holder = account.address): Promise<bigint> {
    const args = [holder] as const
    return await walletOf().readContract({
      ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args },
    })
  }
}

function callOf({ data, to }: NonNullable<QuoteResponse['tx']>): { to: Address; data: Hex } {
  return { to: to as Address, data: data as Hex }
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

async function read<answer>(answer: Response): Promise<answer> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return JSON.parse(text) as answer
}
