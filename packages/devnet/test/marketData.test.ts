import { erc20Abi, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainSpecs } from '../src/chains.js'
import { type Devnet, startDevnet } from '../src/index.js'
import { clientOf, receiptOf, walletOf } from './clients.js'

type Pair = {
  chainId: string
  dexId: string
  pairAddress: `0x${string}`
  baseToken: { address: `0x${string}`; symbol: string }
  quoteToken: { address: `0x${string}`; symbol: string }
  priceNative: string
  priceUsd: string
  liquidity: { usd: number; base: number; quote: number }
}

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453, 10] })
})
afterAll(() => devnet?.stop())

const chain = () => devnet.chains[0]!
const addressOf = (symbol: string) => chain().tokens[symbol]!.address

async function ask<body = Pair[]>(path: string): Promise<body> {
  const answer = await fetch(devnet.marketUrl + path)
  expect(answer.status).toBe(200)
  return (await answer.json()) as body
}

const pairsOf = (symbol: string) => ask(`/token-pairs/v1/base/${addressOf(symbol)}`)

/** Reads whole tokens at an address, in a different way than the code under test. */
async function held(symbol: string, holder: `0x${string}`): Promise<number> {
  const { address, decimals } = chain().tokens[symbol]!
  const balance = await clientOf(chain()).readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  })
  return Number(balance) / 10 ** decimals
}

describe('reserves', () => {
  test("default: equal the pools' balances", async () => {
    const pairs = await pairsOf('MOSS')
    expect(pairs.map(({ baseToken, quoteToken }) => [baseToken.symbol, quoteToken.symbol])).toEqual(
      [
        ['MOSS', 'WETH'],
        ['MOSS', 'WETH'],
        ['BRINE', 'MOSS'],
      ],
    )
    for (const { baseToken, liquidity, pairAddress, quoteToken } of pairs) {
      expect(liquidity.base).toBeCloseTo(await held(baseToken.symbol, pairAddress), 6)
      expect(liquidity.quote).toBeCloseTo(await held(quoteToken.symbol, pairAddress), 6)
    }
  })

  test("default: reserves of Uniswap V4 pools add up to the PoolManager's balances", async () => {
    const { uniswapV4 } = chainSpecs[0]!
    const pairs = (await pairsOf('USDC')).filter(({ pairAddress }) => pairAddress.length === 66)
    expect(pairs.map(({ baseToken }) => baseToken)).toEqual([
      { address: zeroAddress, name: 'Ether', symbol: 'ETH' },
      expect.objectContaining({ symbol: 'cbBTC' }),
    ])
    const reported = pairs.reduce((sum, { liquidity }) => sum + liquidity.quote, 0)
    const held4 = await held('USDC', uniswapV4.address)
    expect(reported / held4).toBeCloseTo(1, 6)
  })

  test('behavior: follow a swap', async () => {
    const pool = chain().pools.find(
      ({ kind, token0, token1 }) => kind === 'uniswapV2' && [token0, token1].includes('MOSS'),
    )!
    const before = (await pairsOf('MOSS')).find(({ pairAddress }) => pairAddress === pool.address)!
    const wallet = walletOf(devnet, chain())
    const [mint, sync] = parseAbi(['function mint(address to, uint256 value)', 'function sync()'])
    const write = async (to: `0x${string}`, abi: typeof mint | typeof sync, args: unknown[]) => {
      const request = { address: to, abi: [abi], functionName: abi.name, args }
      const hash = await wallet.writeContract(request as never)
      await receiptOf(clientOf(chain()), hash)
    }
    await write(addressOf('MOSS'), mint, [pool.address, 1_000n * 10n ** 18n])
    await write(pool.address, sync, [])
    const after = (await pairsOf('MOSS')).find(({ pairAddress }) => pairAddress === pool.address)!
    expect(after.liquidity.base - before.liquidity.base).toBeCloseTo(1_000, 6)
    expect(Number(after.priceNative)).toBeLessThan(Number(before.priceNative))
  })
})

test('default: prices are those of the market definition', async () => {
  const [wethUsdc] = (await pairsOf('USDC')).filter(({ baseToken }) => baseToken.symbol === 'WETH')
  expect(Number(wethUsdc!.priceUsd) / 2_700).toBeCloseTo(1, 2)
  expect(wethUsdc!.priceNative).toBe(wethUsdc!.priceUsd)
})

test('default: reports a hundred times the real reserves of MIRAGE', async () => {
  const [pair] = await pairsOf('MIRAGE')
  const real = await held('MIRAGE', pair!.pairAddress)
  expect(pair!.liquidity.base / real).toBeCloseTo(100, 6)
  expect(pair!.liquidity.usd).toBeGreaterThan(90_000)
})

describe('paths', () => {
  test('default: a search finds symbols on all chains', async () => {
    const { pairs } = await ask<{ pairs: Pair[] }>('/latest/dex/search?q=kelp')
    expect(new Set(pairs.map(({ chainId }) => chainId))).toEqual(new Set(['base', 'optimism']))
    for (const { baseToken, quoteToken } of pairs)
      expect([baseToken.symbol, quoteToken.symbol]).toContain('KELP')
  })

  test('default: finds one pool by address, and the pools of several tokens', async () => {
    const [pair] = await pairsOf('KELP')
    const one = await ask<{ pairs: Pair[] }>(`/latest/dex/pairs/base/${pair!.pairAddress}`)
    expect(one.pairs).toEqual([pair])
    const both = await ask(`/tokens/v1/base/${addressOf('KELP')},${addressOf('TIDE')}`)
    expect(both).toHaveLength(5)
  })

  test('behavior: unknown tokens and chains have no pools', async () => {
    expect(await ask(`/token-pairs/v1/base/${zeroAddress.replace(/0$/, '9')}`)).toEqual([])
    expect(await ask(`/token-pairs/v1/solana/${addressOf('KELP')}`)).toEqual([])
    expect(await ask(`/latest/dex/pairs/base/${addressOf('KELP')}`)).toMatchObject({ pairs: null })
    expect(await ask('/latest/dex/search?q=')).toMatchObject({ pairs: [] })
  })

  test('error: an unknown path', async () => {
    expect((await fetch(`${devnet.marketUrl}/latest`)).status).toBe(404)
  })
})
