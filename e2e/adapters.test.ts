import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, getSources, type QuoteParameters } from '@sluice/sdk'
import { readRegistry, verifyTransaction, withSources } from '@sluice/sdk/verify'
import { approve, repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import { erc20Abi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { namedBy } from './lib/namedBy.js'
import { openWallet } from './lib/openWallet.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'

let devnet: Devnet
let server: RunningServer

serveBeforeAll({}, (running) => {
  ;({ devnet, server } = running)
})

const client = () => createClient({ baseUrl: server.url })
/** With the names of a chain's venues. */
async function registryOf(chain: number) {
  return withSources(readRegistry(devnet.deployments), await getSources(client(), { chain }))
}
const chainOf = (chainId: number) => devnet.chains.find((chain) => chain.chainId === chainId)!

type Side = { readonly symbol: string; readonly whole: bigint }

/** Amounts in whole tokens: more than the other pools take without moving far. */
const pools: readonly (readonly [chainId: number, venueName: string, a: Side, b: Side])[] = [
  [10, 'curve-registry', { symbol: 'DAI', whole: 500_000n }, { symbol: 'USDC', whole: 500_000n }],
  [
    42161,
    'liquidity-book-v2.2',
    { symbol: 'wstETH', whole: 400n },
    { symbol: 'WETH', whole: 600n },
  ],
  [
    42161,
    'liquidity-book-v2.2',
    { symbol: 'ARB', whole: 800_000n },
    { symbol: 'USDC', whole: 192_000n },
  ],
  [42161, 'camelot-v2', { symbol: 'ARB', whole: 2_000_000n }, { symbol: 'WETH', whole: 178n }],
  [42161, 'camelot-v2', { symbol: 'USDC.e', whole: 500_000n }, { symbol: 'USDT', whole: 500_000n }],
  [8453, 'pancakeswap-infinity', { symbol: 'cbETH', whole: 200n }, { symbol: 'WETH', whole: 222n }],
  [
    8453,
    'pancakeswap-infinity',
    { symbol: 'AERO', whole: 200_000n },
    { symbol: 'USDC', whole: 184_000n },
  ],
  [1, 'fluid-dex-lite', { symbol: 'wstETH', whole: 300n }, { symbol: 'WETH', whole: 366n }],
  [1, 'fluid-dex-lite', { symbol: 'WBTC', whole: 8n }, { symbol: 'cbBTC', whole: 8n }],
]

/** One case for each pool of a venue whose adapter finds it without hints. */
const cases = pools.map(
  ([chain, venueName, a, b]) => [chain, venueName, a.symbol, b.symbol, { a, b }] as const,
)

describe.each(cases)('on chain %i, %s, %s and %s', (chain, venueName, _a, _b, { a, b }) => {
  const tradeOf = (sold: Side, bought: Side) => {
    const { tokens } = chainOf(chain)
    return {
      ...{ chain, in: tokens[sold.symbol]!.address, out: tokens[bought.symbol]!.address },
      recipient: privateKeyToAccount(generatePrivateKey()).address,
      slippageBps: 0,
      amountIn: sold.whole * 10n ** BigInt(tokens[sold.symbol]!.decimals),
    }
  }

  /** Swaps as quoted: what arrives is what was quoted, to the wei. Returns the legs through the venue, and the others. */
  async function swap(request: QuoteParameters) {
    const wallet = openWallet(devnet, chainOf(chain))
    const [quote, registry] = await Promise.all([getQuote(client(), request), registryOf(chain)])
    expect(quote.quote!.upperBound!).toBeGreaterThanOrEqual(quote.route.grossOut)
    await receiptOf(wallet, await approve(wallet, { quote, registry }))
    const { data, to } = verifyTransaction(quote.tx!, { request, quote, registry })
    const hash = await wallet.sendTransaction({ to, data, gas: quote.tx!.gas! })
    expect((await receiptOf(wallet, hash)).status).toBe('success')
    const received = await wallet.readContract({
      address: quote.tokenOut,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [request.recipient! as Hex],
    })
    expect(received).toBe(quote.amountOut)
    const own = quote.route.legs.filter((leg) => leg.venueName === venueName)
    const { imitated, pools } = chainOf(chain)
    const ofVenue = imitated[venueName] ?? pools.map(({ address }) => address)
    for (const { key, kind } of own) {
      expect(kind).toBe('adapter')
      expect(ofVenue.map(namedBy)).toContain(key >> 8n)
    }
    return { own: own.length, others: quote.route.legs.length - own.length }
  }

  test.each([
    [a.symbol, a, b],
    [b.symbol, b, a],
  ])(
    'default: for %s its pool pays more than the others, and an own node says the same',
    async (_, sold, bought) => {
      const request = { ...tradeOf(sold, bought), gasPrice: 0n }
      const [quote, without] = await Promise.all([
        getQuote(client(), request),
        getQuote(client(), { ...request, excludeSources: [venueName] }),
      ])
      expect(quote.amountOut).toBeGreaterThan(without.amountOut)
      const wallet = openWallet(devnet, chainOf(chain))
      const { isSame } = await repeatQuote(wallet, quote, { registry: await registryOf(chain) })
      expect(isSame).toBe(true)
    },
  )

  test('default: a preview and an exact quote have a leg through its pool, and the swaps pay them', async () => {
    // There and back, so that the second swap finds the pool as the first one did.
    expect((await swap(tradeOf(a, b))).own).toBe(1)
    expect((await swap({ ...tradeOf(b, a), exact: true })).own).toBe(1)
  })

  test('behavior: alone it serves an input and an output, too', async () => {
    const halfOf = (sold: Side, bought: Side) => {
      const { amountIn, ...pair } = tradeOf(sold, bought)
      return { ...pair, amountIn: amountIn / 2n, includeSources: [venueName] }
    }
    expect(await swap(halfOf(a, b))).toEqual({ own: 1, others: 0 })
    const { amountIn, ...back } = halfOf(b, a)
    const { amountOut } = await getQuote(client(), { ...back, amountIn })
    expect(await swap({ ...back, amountOut })).toEqual({ own: 1, others: 0 })
  })
})

test.each([...new Map(cases.map(([chain, name]) => [name, chain]))])(
  'default: %s is among the sources',
  async (name, chain) => {
    const { sources } = await getSources(client(), { chain })
    expect(sources.filter(({ venueName }) => venueName === name)).toMatchObject([
      { kind: 'adapter', enabled: true },
    ])
  },
)
