import { hubAbi } from '@sluice/abi'
import type { Rpc } from '@sluice/deploy'
import type { DevnetChain, DevnetPool } from '@sluice/devnet'
import { SwapCall } from '@sluice/domain'
import {
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
} from 'viem'
import { openSender } from '../lib/openSender.js'
import { compileFixture } from './compileFixture.js'
import { once } from './once.js'

const amountIn = 10n ** 17n
const wholeShare = 10n ** 18n

type Options = { rpc: Rpc; chain: DevnetChain; hub: Address; router: Address; from: Address }

/** The two contracts to compare with, deployed and approved, and a way to compare. */
export async function openSwaps({ rpc, chain, hub, router, from }: Options) {
  const tokenIn = chain.tokens['WETH']!.address
  const tokenOut = chain.tokens['USDC']!.address
  const send = openSender(rpc, from)
  const zeroForOne = tokenIn.toLowerCase() < tokenOut.toLowerCase()
  const [direct, minimal] = [compileFixture('DirectCaller'), compileFixture('MinimalRouter')]
  const directAddress = await create(direct.bytecode)
  const minimalAddress = await create(
    encodeDeployData({ ...minimal, args: [await feeRecipientOf(rpc, hub)] }),
  )
  for (const spender of [router, directAddress, minimalAddress]) {
    const args = [spender, maxUint256] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await send({ to: tokenIn, data })
  }

  async function create(bytecode: Hex): Promise<Address> {
    return (await send({ data: bytecode })).contractAddress!
  }

  async function balance(): Promise<bigint> {
    const args = [from] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
    return BigInt(await rpc.request<Hex>('eth_call', [{ to: tokenOut, data }, 'latest']))
  }

  /** The direct swap delivers what the pool pays, which the balance shows. */
  async function swapDirect(pool: DevnetPool, amount: bigint) {
    const before = await balance()
    const isV2 = pool.kind === 'uniswapV2'
    const data = encodeFunctionData({
      abi: direct.abi,
      functionName: isV2 ? 'swapV2' : 'swapV3',
      args: isV2
        ? [pool.address, tokenIn, amount, 9_970n]
        : [pool.address, tokenIn, zeroForOne, amount],
    })
    const { gasUsed } = await send({ to: directAddress, data })
    return { gas: Number(gasUsed), out: (await balance()) - before }
  }

  async function swapMinimal(pool: DevnetPool, amount: bigint) {
    const isV2 = pool.kind === 'uniswapV2'
    const order = {
      pool: pool.address,
      tokenIn,
      tokenOut,
      amountIn: amount,
      minOut: 1n,
      recipient: from,
    }
    const data = encodeFunctionData({
      abi: minimal.abi,
      functionName: isV2 ? 'swapV2' : 'swapV3',
      args: isV2 ? [order, 9_970n] : [order],
    })
    return Number((await send({ to: minimalAddress, data })).gasUsed)
  }

  async function swapOurs(pools: readonly DevnetPool[], grossOut: bigint) {
    const legs = pools.map((pool, index) => ({
      venue: pool.kind === 'uniswapV2' ? 1 : 2,
      pool: pool.address,
      tokenIn,
      tokenOut,
      key: pool.kind === 'uniswapV2' ? 0n : BigInt(pool.feePips),
      share: index === pools.length - 1 ? wholeShare : wholeShare / 2n,
    }))
    const route = { tokenIn, tokenOut, amountIn, grossOut, impactBps: 0n, legs }
    const data = SwapCall.encode({ route, minOut: 1n, recipient: from, deadline: maxUint256 })
    return Number((await send({ to: router, data })).gasUsed)
  }

  return {
    /** @returns Gas of the route, and of swaps of its last pool by the two others. */
    async compare(pools: readonly DevnetPool[]) {
      const part = amountIn / BigInt(pools.length)
      const last = pools.at(-1)!
      // Balances and the pools' own records are written for the first time here.
      for (const pool of pools) await swapMinimal(pool, part)
      let quoted = 0n
      for (const pool of pools) quoted += (await once(rpc, () => swapDirect(pool, part))).out
      return {
        ours: await once(rpc, () => swapOurs(pools, quoted)),
        minimal: await once(rpc, () => swapMinimal(last, part)),
        direct: (await once(rpc, () => swapDirect(last, part))).gas,
      }
    },
  }
}

async function feeRecipientOf(rpc: Rpc, hub: Address): Promise<Address> {
  const data = encodeFunctionData({ abi: hubAbi, functionName: 'settlement' })
  const answer = await rpc.request<Hex>('eth_call', [{ to: hub, data }, 'latest'])
  return decodeFunctionResult({ abi: hubAbi, functionName: 'settlement', data: answer })[0]
}
