import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, getSources, type QuoteParameters } from '@sluice/sdk'
import { readRegistry, verifyTransaction } from '@sluice/sdk/verify'
import { approve, repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import { createWalletClient, defineChain, erc20Abi, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'

const chainId = 10
const venueName = 'curve-registry'

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ chainIds: [chainId] }, (running) => {
  ;({ devnet, server } = running)
})

const client = () => createClient({ baseUrl: server.url })
const registry = () => readRegistry(devnet.deployments)

function walletOf() {
  const { name, rpcUrl } = devnet.chains[0]!
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const account = privateKeyToAccount(devnet.account.privateKey)
  const transport = http(rpcUrl, { retryCount: 0 })
  return createWalletClient({ account, chain, transport, pollingInterval: 20 }).extend(
    publicActions,
  )
}

test('default: the venue of a registry is among the sources', async () => {
  const { sources } = await getSources(client(), { chain: chainId })
  expect(sources.filter((source) => source.venueName === venueName)).toMatchObject([
    { kind: 'adapter', enabled: true },
  ])
})

test('default: a pool that only a registry knows wins, and the swap pays what was quoted', async () => {
  const wallet = walletOf()
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  const request = {
    chain: chainId,
    in: 'DAI',
    out: 'USDC',
    // More than the other pools of the pair take without moving far.
    amountIn: 500_000n * 10n ** 18n,
    recipient,
    slippageBps: 0,
  } satisfies QuoteParameters
  const quote = await getQuote(client(), request)
  const legs = quote.route.legs.filter((leg) => leg.venueName === venueName)
  expect(legs).toMatchObject([{ kind: 'adapter' }])
  const repetition = await repeatQuote(wallet, quote, { registry: registry() })
  expect(repetition.isSame).toBe(true)

  await receiptOf(wallet, await approve(wallet, { quote, registry: registry() }))
  const verified = verifyTransaction(quote.tx!, { request, quote, registry: registry() })
  const hash = await wallet.sendTransaction({
    to: verified.to,
    data: verified.data,
    gas: 5_000_000n,
  })
  expect((await receiptOf(wallet, hash)).status).toBe('success')
  const received = await wallet.readContract({
    address: quote.tokenOut,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [recipient],
  })
  expect(received).toBe(quote.amountOut)
})
