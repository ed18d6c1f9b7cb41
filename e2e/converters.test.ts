import { quoterAbi, routerAbi } from '@sluice/abi'
import { createRpc, runCheck } from '@sluice/deploy'
import { converterVenues, type Devnet } from '@sluice/devnet'
import { type Address, encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { openWallet } from './lib/openWallet.js'
import { startDevnet } from './lib/startDevnet.js'
import type { Wallet } from './lib/walletOn.js'

const chainId = 42161
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
const converters = () => devnet.chains[0]!.converters!
const deadline = 2n ** 40n
const pairsAbi = parseAbi(['function createPair(address tokenA, address tokenB)'])
/** Anyone mints tokens of the devnet. */
const tokenAbi = parseAbi(['function mint(address to, uint256 value)'])
/** A thousandth of a basis point, in millionths of one. */
const hardlyAnything = 1_000n

/** USDS is no connector token of the chain, so that the caller hints at it. */
function preview(tokenIn: Address, tokenOut: Address, amountIn: bigint) {
  const options = {
    gasPrice: 10n ** 9n,
    connectors: [converters().usds],
    excludedVenues: 0n,
    pools: [],
  }
  return wallet.readContract({
    address: contracts().quoter,
    abi: quoterAbi,
    functionName: 'previewPlan',
    args: [tokenIn, tokenOut, amountIn, options],
  })
}

async function send(to: Address, data: `0x${string}`) {
  const hash = await wallet.sendTransaction({ to, data, gas: 8_000_000n })
  expect((await receiptOf(wallet, hash)).status).toBe('success')
}

/** Swaps, and returns the venues of the route. The recipient gets what was quoted, to the wei. */
async function swap(tokenIn: Address, tokenOut: Address, amountIn: bigint) {
  const plan = await preview(tokenIn, tokenOut, amountIn)
  expect(plan.upperBound).toBeGreaterThanOrEqual(plan.route.grossOut)
  const { router } = contracts()
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  await send(
    tokenIn,
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router, amountIn] }),
  )
  const args = [plan.route, amountIn, plan.netOut, recipient, deadline] as const
  await send(router, encodeFunctionData({ abi: routerAbi, functionName: 'swapExactIn', args }))
  const received = await wallet.readContract({
    address: tokenOut,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [recipient],
  })
  expect(received).toBe(plan.netOut)
  const { venues } = devnet.chains[0]!
  return { plan, used: new Set(plan.route.legs.map(({ venue }) => venues[venue - 1]!)) }
}

test('default: a PSM, a converter and a vault are in one route that pays its quote', async () => {
  const { USDC } = devnet.chains[0]!.tokens
  // More than the pools of USDC and DAI take for less than the fee of the PSM.
  const amountIn = 60_000_000n * 10n ** 6n
  const args = [devnet.account.address, amountIn] as const
  await send(USDC!.address, encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args }))
  const { plan, used } = await swap(USDC!.address, converters().vault, amountIn)
  expect([...used]).toEqual(expect.arrayContaining(Object.values(converterVenues)))
  expect(plan.hops).toBe(3n)
})

test('default: shares of a vault are sold on by its asset', async () => {
  const { DAI } = devnet.chains[0]!.tokens
  const { plan, used } = await swap(converters().vault, DAI!.address, 1_000_000n * 10n ** 18n)
  expect([...used].sort()).toEqual([converterVenues.vault, converterVenues.daiUsds].sort())
  expect(plan.gapMicroBps).toBeLessThan(hardlyAnything)
})

test('behavior: a check compares the converters with what they pay', async () => {
  const { configFile, rpcUrl, tokens } = devnet.chains[0]!
  // A pair announces the vault's share, as pools of real vaults do.
  const { venues } = configFile as { venues: { id: string; factory: Address }[] }
  const { factory } = venues.find(({ id }) => id === 'uniswap-v2')!
  const args = [tokens['USDC']!.address, converters().vault] as const
  await send(factory, encodeFunctionData({ abi: pairsAbi, functionName: 'createPair', args }))
  const report = await runCheck(createRpc(rpcUrl), { config: configFile, pools: 3 })
  for (const venue of Object.values(converterVenues))
    expect(report.venues).toContainEqual(expect.objectContaining({ venue, agrees: 1 }))
  expect(report.config.faults).toEqual([])
})
