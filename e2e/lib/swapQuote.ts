import type { Devnet } from '@sluice/devnet'
import type { Quote } from '@sluice/sdk'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { mined } from './createMarket.js'
import { openWallet } from './openWallet.js'

/** Approves and executes a quote of the first chain. @returns What the recipient has of the output token then. */
export async function swapQuote(
  devnet: Devnet,
  { amountIn, chainId, tokenIn, tokenOut, tx }: Quote,
  recipient: Address,
): Promise<bigint> {
  const { router } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  const args = [router, amountIn] as const
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await send(devnet, { to: tokenIn, data: approve })
  await send(devnet, { to: tx!.to as Address, data: tx!.data as Hex })
  return await openWallet(devnet).readContract({
    address: tokenOut,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [recipient],
  })
}

/** Sends a transaction of the development account on the first chain. @throws if it reverts. */
export async function send(
  devnet: Devnet,
  { data, to }: { to?: Address | undefined; data?: Hex | undefined },
): Promise<void> {
  const hash = await openWallet(devnet).sendTransaction({ to: to!, data: data!, gas: 5_000_000n })
  const { status } = await mined(devnet, hash)
  if (status !== 'success') throw new Error(`A transaction to ${to} reverted.`)
}
