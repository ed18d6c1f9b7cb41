import { createRpc } from '@sluice/deploy'
import { converterVenues, type Devnet, type DevnetChain } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { type Address, erc20Abi, getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { type Wallet, walletOn } from './lib/walletOn.js'

/** An account that holds nothing and was never used. */
const stranger = getAddress('0x00000000000000000000000000000000000A11CE')
/** Maximum error of the gas estimate, in percent of the gas in the receipt. */
const gasTolerance = 5
/** Extra gas, not in the estimate, for an account's first balance of a token (EIP-2929: the slot was zero). */
const firstUnitsGas = 17_100

const solidlyVenues = ['aerodrome-v2', 'velodrome-v2']
/** Bit in a key of Uniswap V4: the pool has the native currency instead of the wrapped token. */
const nativeBit = 47n

let devnet: Devnet
let server: RunningServer

serveBeforeAll({}, (running) => {
  ;({ devnet, server } = running)
})

describe.each([8453, 1, 10, 42161])('on chain %i', (chainId) => {
  test('default: a route of one leg delivers its quote to the wei', async () => {
    const quote = await swap(chainId, { in: 'WETH', out: 'USDC', amountIn: 10n ** 17n })
    expect(quote.quote.legs).toBe(1)
  })

  test('default: an input split over pools delivers its quote to the wei', async () => {
    const quote = await swap(chainId, { in: 'WETH', out: 'USDC', amountIn: 300n * 10n ** 18n })
    const first = quote.route.legs.filter((leg) => leg.tokenIn === quote.tokenIn)
    expect(first.length).toBeGreaterThan(1)
    expect(quote.quote.hasSurplus).toBe(true)
  })

  test('default: a route of three hops delivers its quote to the wei', async () => {
    const { tokens } = chainOf(chainId)
    const quote = await swap(chainId, {
      in: tokens['KELP']!.address,
      out: tokens['TIDE']!.address,
      amountIn: 1_000n * 10n ** BigInt(tokens['KELP']!.decimals),
    })
    expect(quote.quote.hops).toBe(3)
  })

  test('behavior: every type of pool is in a route that delivers its quote to the wei', async () => {
    const { hinted, imitated, tokens, venues } = chainOf(chainId)
    const governance = tokens['AERO'] ?? tokens['UNI'] ?? tokens['OP'] ?? tokens['ARB']
    const stable = tokens['USDbC'] ?? tokens['USDT']
    const trades = [
      { in: 'WETH', out: 'USDC', amountIn: 900n * 10n ** 18n },
      { in: 'USDC', out: 'WETH', amountIn: 2_000_000n * 10n ** 6n },
      { in: governance!.address, out: 'WETH', amountIn: 300_000n * 10n ** 18n },
      { in: 'USDC', out: tokens['DAI']!.address, amountIn: 3_000_000n * 10n ** 6n },
      { in: stable!.address, out: 'USDC', amountIn: 3_000_000n * 10n ** 6n },
    ]
    const used = new Set<string>()
    for (const trade of trades) {
      const quote = await swap(chainId, trade)
      for (const { venue, key } of quote.route.legs) used.add(sortOf(venues[venue - 1]!, key))
    }
    // No quote of the service proposes pools. Converters trade tokens of their own, see converters.test.ts. Swaps on imitations are
    // in adapters.test.ts.
    const converters: readonly string[] = Object.values(converterVenues)
    const found = venues.filter(
      (venue) =>
        hinted[venue] === undefined && imitated[venue] === undefined && !converters.includes(venue),
    )
    expect([...used].sort()).toEqual(found.flatMap(sortsOf).sort())
  })

  test('behavior: an exact quote needs no pool outside of the route', async () => {
    const { KELP, LEVY, WETH } = chainOf(chainId).tokens
    const query = (token: { address: string; decimals: number }) => ({
      chain: `${chainId}`,
      in: token.address,
      out: WETH!.address,
      amountIn: `${100n * 10n ** BigInt(token.decimals)}`,
    })
    const plain = await quoteOf(query(KELP!))
    const exact = await quoteOf({ ...query(KELP!), exact: '1' })
    expect(exact.quote.canExecute).toBe(true)
    expect(exact.amountOut).toBe(plain.amountOut)

    // The exact quote includes the tax of 2 % on each transfer.
    const untaxed = BigInt((await quoteOf(query(LEVY!))).amountOut)
    const taxed = BigInt((await quoteOf({ ...query(LEVY!), exact: '1' })).amountOut)
    expect(taxed).toBeLessThan((untaxed * 981n) / 1000n)
    expect(taxed).toBeGreaterThan((untaxed * 979n) / 1000n)
  })

  test('behavior: for plain tokens, the exact quote equals the preview', async () => {
    const query = { chain: `${chainId}`, in: 'WETH', out: 'USDC', amountIn: `${5n * 10n ** 18n}` }
    const preview = await quoteOf(query)
    const exact = await quoteOf({ ...query, exact: '1' })
    expect(exact.mode).toBe('exact')
    expect(exact.amountOut).toBe(preview.amountOut)
    expect(exact.route).toEqual(preview.route)
  })
})

/** Quotes, approves, signs and sends like any wallet, and asserts that the recipient gets the quoted amount. */
async function swap(chainId: number, asked: { in: string; out: string; amountIn: bigint }) {
  const wallet = walletOf(chainOf(chainId))
  // They take other gas than the venues that they imitate.
  const imitations = Object.keys(chainOf(chainId).imitated)
  const quote = await quoteOf({
    chain: `${chainId}`,
    in: asked.in,
    out: asked.out,
    amountIn: `${asked.amountIn}`,
    recipient: stranger,
    ...(imitations.length > 0 && { excludeSources: imitations.join() }),
  })
  const { tokenIn, tokenOut, tx } = quote
  if (!tx) throw new Error(`No transaction: ${JSON.stringify(quote.quote)}`)
  const approval = await wallet.writeContract({
    address: tokenIn,
    abi: erc20Abi,
    functionName: 'approve',
    args: [tx.to, asked.amountIn],
  })
  await receiptOf(wallet, approval)

  // On a real chain each block has another second, and pools write their price records once per second.
  await createRpc(chainOf(chainId).rpcUrl).request('evm_increaseTime', [1])
  const before = await balanceOf(wallet, tokenOut, stranger)
  const hash = await wallet.sendTransaction({
    to: tx.to,
    data: tx.data,
    value: BigInt(tx.value),
    // The node estimates for the current second. In the next second, pools also write their price records.
    gas: (BigInt(quote.quote.estGas) * 13n) / 10n,
  })
  const receipt = await receiptOf(wallet, hash)
  expect(receipt.status).toBe('success')
  expect((await balanceOf(wallet, tokenOut, stranger)) - before).toBe(BigInt(quote.amountOut))
  expect(await balanceOf(wallet, tokenOut, tx.to)).toBe(0n)

  const used = Number(receipt.gasUsed) - (before === 0n ? firstUnitsGas : 0)
  const off = (Math.abs(Number(quote.quote.estGas) - used) / used) * 100
  expect(off, `estGas ${quote.quote.estGas}, used ${used}`).toBeLessThan(gasTolerance)
  return quote
}

/** Returns the type of pool, within its venue, that a leg's key selects. */
function sortOf(venue: string, key: string): string {
  if (solidlyVenues.includes(venue)) return `${venue} ${key === '1' ? 'stable' : 'volatile'}`
  if (venue !== 'uniswap-v4') return venue
  return `${venue} ${(BigInt(key) >> nativeBit) & 1n ? 'native' : 'wrapped'}`
}

function sortsOf(venue: string): string[] {
  if (solidlyVenues.includes(venue)) return [`${venue} stable`, `${venue} volatile`]
  return venue === 'uniswap-v4' ? [`${venue} native`, `${venue} wrapped`] : [venue]
}

type Quote = {
  mode: string
  tokenIn: Address
  tokenOut: Address
  amountOut: string
  quote: {
    estGas: string
    hops: number
    legs: number
    hasSurplus: boolean
    canExecute: boolean
  }
  route: { legs: { venue: number; key: string; tokenIn: Address }[] }
  tx?: { to: Address; data: Hex; value: string }
}

async function quoteOf(query: Record<string, string>): Promise<Quote> {
  const response = await fetch(`${server.url}/api/quote?${new URLSearchParams(query)}`)
  const body = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return body as Quote
}

function chainOf(chainId: number): DevnetChain {
  return devnet.chains.find((chain) => chain.chainId === chainId)!
}

function walletOf(chain: DevnetChain): Wallet {
  return walletOn(chain, privateKeyToAccount(devnet.account.privateKey))
}

async function balanceOf(wallet: Wallet, address: Address, holder: Address): Promise<bigint> {
  return await wallet.readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  })
}
