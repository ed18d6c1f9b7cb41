import { quoterAbi, routerAbi } from '@sluice/abi'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, type DevnetChain, startDevnet } from '../src/index.js'
import { clientOf, receiptOf, walletOf } from './clients.js'

const pairAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function swap(uint256, uint256, address, bytes)',
])
const poolAbi = parseAbi([
  'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
])

/** Each is used by one test only, so that its balance is what this test sent. */
const pairRecipient: Address = '0x00000000000000000000000000000000000051c1'
const routerRecipient: Address = '0x00000000000000000000000000000000000051c2'
const taxedRecipient: Address = '0x00000000000000000000000000000000000051c3'
const wholePips = 1_000_000n

let devnet: Devnet
let ethereum: DevnetChain
beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [1] })
  ethereum = devnet.chains[0]!
})
afterAll(async () => {
  await devnet?.stop()
})

describe('pools', () => {
  test('behavior: a Uniswap V2 pair pays the constant product less 0.3 %, and not a unit more', async () => {
    const client = clientOf(ethereum)
    const wallet = walletOf(devnet, ethereum)
    const { address } = poolOf('uniswapV2', 'USDC', 'WETH', 3000)
    const { USDC, WETH } = ethereum.tokens
    const amountIn = 12_345_678_901n
    const [reserveIn, reserveOut] = await client.readContract({
      address,
      abi: pairAbi,
      functionName: 'getReserves',
    })
    const afterFee = amountIn * 997n
    const amountOut = (afterFee * reserveOut) / (reserveIn * 1000n + afterFee)

    await mined(
      await wallet.writeContract({
        address: USDC!.address,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [address, amountIn],
      }),
    )
    const swap = (out: bigint) => ({
      address,
      abi: pairAbi,
      functionName: 'swap' as const,
      args: [0n, out, pairRecipient, '0x' as const] as const,
    })
    const { account } = wallet
    await expect(client.simulateContract({ ...swap(amountOut + 1n), account })).rejects.toThrow(
      'UniswapV2: K',
    )
    await mined(await wallet.writeContract(swap(amountOut)))
    expect(await balanceOf(WETH!.address, pairRecipient)).toBe(amountOut)
  })

  test("behavior: a swap through the Router pays the curve's amount less 28 bps", async () => {
    const wallet = walletOf(devnet, ethereum)
    const pool = poolOf('uniswapV3', 'USDC', 'WETH', 3000)
    const [usdc, weth] = [ethereum.tokens['USDC']!.address, ethereum.tokens['WETH']!.address]
    const { router } = devnet.deployments.chains[1]!.versions['1.0.0']!
    const amountIn = 1_000_000_000n
    const grossOut = await outWithinRange(pool.address, amountIn, 3000n)
    const netOut = grossOut - (grossOut * 28n) / 10_000n

    await mined(
      await wallet.writeContract({
        address: usdc,
        abi: erc20Abi,
        functionName: 'approve',
        args: [router, amountIn],
      }),
    )
    const leg = {
      venue: 2,
      pool: pool.address,
      tokenIn: usdc,
      tokenOut: weth,
      key: 3000n,
      share: 10n ** 18n,
    }
    const route = { tokenIn: usdc, tokenOut: weth, amountIn, grossOut, impactBps: 0n, legs: [leg] }
    await mined(
      await wallet.writeContract({
        address: router,
        abi: routerAbi,
        functionName: 'swapExactIn',
        args: [route, amountIn, netOut, routerRecipient, 2n ** 40n],
      }),
    )
    expect(await balanceOf(weth, routerRecipient)).toBe(netOut)
  })

  test('behavior: two tokens with different connectors trade over three hops', async () => {
    const plan = await preview('FERN', 'TIDE', 10n ** 22n)
    expect({ verdict: plan.verdict, hops: plan.hops }).toEqual({ verdict: 0, hops: 3n })
  })

  test('behavior: a large trade is split', async () => {
    const plan = await preview('WETH', 'USDC', 10n ** 21n)
    expect(plan.route.legs.length).toBeGreaterThan(3)
    expect(plan.hasSurplus).toBe(true)
  })

  test('behavior: a token without a pool with a connector has no route without hints', async () => {
    expect((await preview('BRINE', 'USDC', 10n ** 24n)).verdict).toBe(1)
  })
})

describe('tokens', () => {
  test('behavior: transfers of USDT return no value', async () => {
    const { data } = await transfer('USDT')
    expect(data).toBeUndefined()
  })

  test('behavior: LEVY keeps 2 % of a transfer', async () => {
    const wallet = walletOf(devnet, ethereum)
    const { address } = ethereum.tokens['LEVY']!
    await mined(
      await wallet.writeContract({
        address,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [taxedRecipient, 1_000_000n],
      }),
    )
    expect(await balanceOf(address, taxedRecipient)).toBe(980_000n)
  })

  test('behavior: HALT rejects transfers', async () => {
    await expect(transfer('HALT')).rejects.toThrow(toFunctionSelector('TransfersPaused()'))
  })

  test('behavior: PYRE uses up all gas', async () => {
    await expect(transfer('PYRE')).rejects.toThrow(/InvalidFEOpcode|invalid opcode|OutOfGas/i)
  })

  test('behavior: BLOAT returns 256 KiB', async () => {
    const { data } = await transfer('BLOAT')
    expect(data!.length).toBe(2 + 2 * 256 * 1024)
  })
})

/**
 * Output of a V3 pool for token0 inside its current range, from the Uniswap V3 white paper: the root of the price moves
 * from sqrtP to L sqrtP / (L + x sqrtP), rounded up, and the output is the difference times L, rounded down.
 */
async function outWithinRange(address: Address, amountIn: bigint, feePips: bigint) {
  const client = clientOf(ethereum)
  const [sqrtPrice] = await client.readContract({ address, abi: poolAbi, functionName: 'slot0' })
  const liquidity = await client.readContract({ address, abi: poolAbi, functionName: 'liquidity' })
  const afterFee = (amountIn * (wholePips - feePips)) / wholePips
  const scaled = liquidity << 96n
  const denominator = scaled + afterFee * sqrtPrice
  const next = (scaled * sqrtPrice + denominator - 1n) / denominator
  return (liquidity * (sqrtPrice - next)) >> 96n
}

function poolOf(kind: string, token0: string, token1: string, feePips: number) {
  return ethereum.pools.find(
    (pool) =>
      pool.kind === kind &&
      pool.token0 === token0 &&
      pool.token1 === token1 &&
      pool.feePips === feePips,
  )!
}

function preview(tokenIn: string, tokenOut: string, amountIn: bigint) {
  return clientOf(ethereum).readContract({
    address: devnet.deployments.chains[1]!.versions['1.0.0']!.quoter,
    abi: quoterAbi,
    functionName: 'previewPlan',
    args: [ethereum.tokens[tokenIn]!.address, ethereum.tokens[tokenOut]!.address, amountIn],
  })
}

async function mined(hash: Hex) {
  const receipt = await receiptOf(clientOf(ethereum), hash)
  expect(receipt.status).toBe('success')
}

function balanceOf(token: Address, holder: Address) {
  const call = { address: token, abi: erc20Abi, functionName: 'balanceOf' } as const
  return clientOf(ethereum).readContract({ ...call, args: [holder] })
}

function transfer(symbol: string) {
  const { address } = ethereum.tokens[symbol]!
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [taxedRecipient, 1n],
  })
  return clientOf(ethereum).call({ account: devnet.account.address, to: address, data })
}
