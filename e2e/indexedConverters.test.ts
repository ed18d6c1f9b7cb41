import { converterVenues, type Devnet } from '@sluice/devnet'
import { createClient, getQuote, NoRouteError, type QuoteParameters } from '@sluice/sdk'
import { readRegistry } from '@sluice/sdk/verify'
import { repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { openWallet } from './lib/openWallet.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'
import { untilIndexed } from './lib/untilIndexed.js'
import type { Wallet } from './lib/walletOn.js'

const chainId = 42161
let devnet: Devnet
let server: RunningServer
let wallet: Wallet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  wallet = openWallet(devnet)
  await announceShare()
  server = await serveDevnet(devnet, { poolIndex: ':memory:' })
  await untilIndexed(server)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const chain = () => devnet.chains[0]!
const usdc = () => chain().tokens['USDC']!.address
/** USDS is no connector token of the chain, and only converters lead to it. */
const usds = () => chain().converters!.usds
const share = () => chain().converters!.vault
const quoteOf = (request: QuoteParameters) =>
  getQuote(createClient({ baseUrl: server.url }), request)

async function send(to: Address, data: Hex) {
  const hash = await wallet.sendTransaction({ to, data, gas: 5_000_000n })
  expect((await receiptOf(wallet, hash)).status).toBe('success')
}

/** An empty pair of the share, as pools of real vaults announce theirs. */
async function announceShare() {
  const { venues } = chain().configFile as { venues: { id: string; factory: Address }[] }
  const { factory } = venues.find(({ id }) => id === 'uniswap-v2')!
  const abi = parseAbi(['function createPair(address tokenA, address tokenB)'])
  const args = [usdc(), share()] as const
  await send(factory, encodeFunctionData({ abi, functionName: 'createPair', args }))
}

const trade = () => ({ chain: chainId, in: usdc(), out: share(), amountIn: 1_000_000n * 10n ** 6n })

test('default: a quote that names no hint passes converters, and the swap pays it to the wei', async () => {
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  const quote = await quoteOf({ ...trade(), recipient, slippageBps: 0 })
  expect(quote.meta!.connectors).toContain(usds())
  const used = quote.route.legs.map(({ venueName }) => venueName)
  expect(used).toEqual(expect.arrayContaining([converterVenues.daiUsds, converterVenues.vault]))

  const args = [quote.tx!.to as Address, quote.amountIn] as const
  await send(usdc(), encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
  await send(quote.tx!.to as Address, quote.tx!.data as Hex)
  const received = await wallet.readContract({
    address: share(),
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [recipient],
  })
  expect(received).toBe(quote.amountOut)
})

test('behavior: without the hint there is no route, and whoever repeats the quote finds the same', async () => {
  // A caller who names a hint gets no other.
  const other = { ...trade(), connectors: [chain().tokens['WETH']!.address] }
  await expect(quoteOf(other)).rejects.toThrow(NoRouteError)
  const options = { registry: readRegistry(devnet.deployments), maxBlockAgeSec: Infinity }
  expect((await repeatQuote(wallet, await quoteOf(trade()), options)).isSame).toBe(true)
})

test('behavior: shares are sold through their asset, which the index names', async () => {
  const sold = { ...trade(), in: share(), out: usdc(), amountIn: 100_000n * 10n ** 18n }
  const quote = await quoteOf(sold)
  expect(quote.meta!.connectors).toContain(usds())
  const used = quote.route.legs.map(({ venueName }) => venueName)
  expect(used).toEqual(expect.arrayContaining([converterVenues.vault, converterVenues.daiUsds]))
})
