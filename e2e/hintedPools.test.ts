import { quoterAbi, routerAbi } from '@sluice/abi'
import { createRpc, runCheck } from '@sluice/deploy'
import type { Devnet } from '@sluice/devnet'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { namedBy } from './lib/namedBy.js'
import { openWallet } from './lib/openWallet.js'
import { startDevnet } from './lib/startDevnet.js'
import type { Wallet } from './lib/walletOn.js'

const chainId = 1
let devnet: Devnet
let wallet: Wallet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  wallet = openWallet(devnet)
})

afterAll(async () => {
  await devnet?.stop()
})

const contracts = () => devnet.deployments.chains[chainId]!.versions['1.0.0']!
const address = (symbol: string) => devnet.chains[0]!.tokens[symbol]!.address
const deadline = 2n ** 40n

function preview(tokenIn: string, tokenOut: string, amountIn: bigint, pools: readonly Hex[]) {
  const options = {
    gasPrice: 10n ** 9n,
    connectors: [],
    excludedVenues: 0n,
    pools: pools.map(BigInt),
  }
  return wallet.readContract({
    address: contracts().quoter,
    abi: quoterAbi,
    functionName: 'previewPlan',
    args: [address(tokenIn), address(tokenOut), amountIn, options],
  })
}

async function send(to: Address, data: `0x${string}`) {
  const hash = await wallet.sendTransaction({ to, data, gas: 5_000_000n })
  const receipt = await receiptOf(wallet, hash)
  expect(receipt.status).toBe('success')
  return receipt
}

describe.each([
  ['balancer-v2-factory', 'LINK', 'UNI', 50_000n],
  ['balancer-v2-factory', 'UNI', 'LINK', 50_000n],
  ['balancer-v3', 'USDe', 'USDC', 2_000_000n],
  ['balancer-v3', 'USDC', 'USDe', 2_000_000n],
  ['uniswap-v4-hooks', 'UNI', 'USDe', 40_000n],
  ['uniswap-v4-hooks', 'USDe', 'UNI', 300_000n],
])('%s: %s for %s', (venue, tokenIn, tokenOut, whole) => {
  test('default: its pool wins as a hint, and the swap pays what was quoted', async () => {
    const { hinted, tokens, venues } = devnet.chains[0]!
    const amountIn = whole * 10n ** BigInt(tokens[tokenIn]!.decimals)
    const without = await preview(tokenIn, tokenOut, amountIn, [])
    const plan = await preview(tokenIn, tokenOut, amountIn, [hinted[venue]!])
    const legs = plan.route.legs.filter((leg) => venues[leg.venue - 1] === venue)
    expect(legs.map(({ key }) => BigInt.asUintN(208, key) >> 8n)).toEqual([namedBy(hinted[venue]!)])
    expect(plan.netOut).toBeGreaterThan(without.netOut)
    expect(plan.upperBound).toBeGreaterThanOrEqual(plan.route.grossOut)

    const { router } = contracts()
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    await send(
      address(tokenIn),
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router, amountIn] }),
    )
    const args = [plan.route, amountIn, plan.netOut, recipient, deadline] as const
    await send(router, encodeFunctionData({ abi: routerAbi, functionName: 'swapExactIn', args }))
    const received = await wallet.readContract({
      address: address(tokenOut),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [recipient],
    })
    expect(received).toBe(plan.netOut)
  })
})

test('behavior: a check finds the pools by the events of their registries', async () => {
  const { configFile, hinted, rpcUrl } = devnet.chains[0]!
  const report = await runCheck(createRpc(rpcUrl), { config: configFile, pools: 3 })
  for (const [venue, pool] of Object.entries(hinted)) {
    expect(report.venues).toContainEqual(expect.objectContaining({ venue, agrees: 1 }))
    expect(report.attempts.map((attempt) => attempt.pool)).toContain(pool)
  }
  expect(report.config.faults).toEqual([])
})
