import { readFileSync } from 'node:fs'
import type { QuoteResponse } from '@sluice/api'
import { createRpc, deployGeneration, parseChainConfig } from '@sluice/deploy'
import type { Devnet } from '@sluice/devnet'
import type { Deployments } from '@sluice/domain'
import { readConfig, type ServerConfig, startServer } from '@sluice/server'
import { type Address, erc20Abi, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inRepository } from '../bench/lib/repository.js'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { openWallet } from './lib/openWallet.js'
import { patience, startDevnet } from './lib/startDevnet.js'

/** Robinhood Chain by its own chain config, on factories at the addresses that the config names. */
const chainId = 4663
const recipient = getAddress('0x00000000000000000000000000000000000A11CE')
const file = inRepository(`packages/deploy/chains/${chainId}.json`)
const config = parseChainConfig(JSON.parse(readFileSync(file, 'utf8')))
const amountIn = 900n * 10n ** 18n
const trade = { in: 'WETH', amountIn: `${amountIn}`, recipient }

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId], isDeployed: false })
})

afterAll(() => devnet?.stop())

test('default: RPC_4663 alone serves quotes, and the same ones after a deployment, which pay to the wei', async () => {
  const { rpcUrl } = devnet.chains[0]!
  const undeployed = await withService({}, async (ask) => {
    const [byName, byId] = [await ask('robinhood'), await ask('4663')]
    expect(byId.amountOut).toBe(byName.amountOut)
    expect(byName.txReason).toBe('The Router is not deployed on Robinhood Chain.')
    return byName
  })
  const venues = undeployed.route.legs.map(({ venue }) => config.venues[venue - 1]!.id)
  const usual = ['pancakeswap-v3', 'uniswap-v2', 'uniswap-v3', 'uniswap-v4']
  expect([...new Set(venues)].sort()).toEqual(usual)

  const { deployments } = await deployGeneration(createRpc(rpcUrl), { config })
  const quote = await withService({ deployments }, (ask) => ask('robinhood'))
  expect(quote.amountOut).toBe(undeployed.amountOut)
  expect(quote.route.legs).toEqual(undeployed.route.legs)

  const wallet = openWallet(devnet)
  const { data, to } = quote.tx as { data: Hex; to: Address }
  const approve = { abi: erc20Abi, functionName: 'approve', args: [to, amountIn] } as const
  await receiptOf(wallet, await wallet.writeContract({ address: config.wrappedNative, ...approve }))
  const hash = await wallet.sendTransaction({ to, data, gas: 6_000_000n })
  expect((await receiptOf(wallet, hash)).status).toBe('success')
  const paid = await wallet.readContract({
    ...{ abi: erc20Abi, address: config.usdc },
    ...{ functionName: 'balanceOf', args: [recipient] },
  })
  expect(paid).toBe(BigInt(quote.amountOut))
})

test("error: USDC is not taken for the chain's own stablecoin", async () => {
  await withService({}, async (_, url) => {
    const query = new URLSearchParams({ ...trade, chain: 'robinhood', out: 'USDC' })
    const answer = await fetch(`${url}/api/quote?${query}`)
    const reason = 'USDC is not issued on Robinhood Chain; send USDG or a token address'
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'bad_out', details: [{ field: 'out', reason }] },
    ])
  })
})

/** Starts the service as an operator does, with `RPC_4663`, and stops it after `use`. */
async function withService<result>(
  changes: { deployments?: Deployments.Deployments },
  use: (ask: (chain: string) => Promise<QuoteResponse>, url: string) => Promise<result>,
): Promise<result> {
  const { rpcUrl } = devnet.chains[0]!
  const settings: Partial<ServerConfig> = { port: 0, logLevel: 'silent', maxBlockAge: 'off' }
  const env = { [`RPC_${chainId}`]: rpcUrl }
  const server = await startServer({ ...readConfig(env), ...settings, ...patience, ...changes })
  try {
    return await use(async (chain) => {
      const query = new URLSearchParams({ ...trade, chain, out: 'USDG' })
      const answer = await fetch(`${server.url}/api/quote?${query}`)
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return JSON.parse(text) as QuoteResponse
    }, server.url)
  } finally {
    await server.stop()
  }
}
