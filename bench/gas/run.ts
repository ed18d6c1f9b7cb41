import type { Rpc } from '@sluice/deploy'
import { createRpc } from '@sluice/deploy'
import { type DevnetChain, type DevnetPool, startDevnet } from '@sluice/devnet'
import { SwapCall } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex } from 'viem'
import type { Figure } from '../lib/figures.js'
import { compileDirectCaller } from './compileDirectCaller.js'

const chainId = 1
const amountIn = 10n ** 17n
const wholeShare = 10n ** 18n

/**
 * Gas of `swapExactIn` against the same swap by the least that can do it, both as transactions on pools and balances
 * that were used before: one leg on V2, one on V3, and what a further leg adds over a further direct swap.
 */
export async function run(): Promise<Figure[]> {
  const devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  try {
    const chain = devnet.chains[0]!
    const { router } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
    const bench = await open(createRpc(chain.rpcUrl), chain, router, devnet.account.address)
    const v2 = await bench.compare([poolOf(chain, 'uniswapV2', 3_000)])
    const v3 = await bench.compare([poolOf(chain, 'uniswapV3', 500)])
    const split = await bench.compare([
      poolOf(chain, 'uniswapV3', 500),
      poolOf(chain, 'uniswapV3', 3_000),
    ])
    const rows: [string, number, string][] = [
      ['v2.ours', v2.ours, 'gas'],
      ['v2.direct', v2.direct, 'gas'],
      ['v2.ratio', v2.ours / v2.direct, 'ratio'],
      ['v3.ours', v3.ours, 'gas'],
      ['v3.direct', v3.direct, 'gas'],
      ['v3.ratio', v3.ours / v3.direct, 'ratio'],
      ['leg.ratio', (split.ours - v3.ours) / split.further, 'ratio'],
    ]
    return rows.map(([figure, value, unit]) => ({ bench: 'gas', figure, value, unit, set: 'all' }))
  } finally {
    await devnet.stop()
  }
}

function poolOf(chain: DevnetChain, kind: 'uniswapV2' | 'uniswapV3', feePips: number): DevnetPool {
  const pool = chain.pools.find(
    ({ token0, token1, ...each }) =>
      each.kind === kind &&
      each.feePips === feePips &&
      [token0, token1].sort().join() === ['USDC', 'WETH'].join(),
  )
  if (!pool)
    throw new Error(`The devnet has no ${kind} pool of WETH and USDC with ${feePips} pips.`)
  return pool
}

async function open(rpc: Rpc, chain: DevnetChain, router: Address, from: Address) {
  const tokenIn = chain.tokens['WETH']!.address
  const tokenOut = chain.tokens['USDC']!.address
  const caller = compileDirectCaller()
  const creation = await send({ data: caller.bytecode })
  const direct = creation.contractAddress!
  for (const spender of [router, direct]) {
    const args = [spender, maxUint256] as const
    await send({
      to: tokenIn,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
    })
  }

  async function send(call: { to?: Address; data: Hex }) {
    const gas = numberToHex(5_000_000n)
    const hash = await rpc.request<Hex>('eth_sendTransaction', [{ from, gas, ...call }])
    for (;;) {
      const [receipt] = await rpc
        .batch<Receipt>([['eth_getTransactionReceipt', [hash]]])
        .catch(() => [undefined])
      if (receipt) {
        if (receipt.status !== '0x1') throw new Error('A swap of the bench failed.')
        return receipt
      }
      await rpc.request('evm_mine')
    }
  }

  /** The direct swap delivers what the pool pays, which the balance shows. */
  async function swapDirect(pool: DevnetPool, amount: bigint) {
    const before = await balance()
    const isV2 = pool.kind === 'uniswapV2'
    const data = encodeFunctionData({
      abi: caller.abi,
      functionName: isV2 ? 'swapV2' : 'swapV3',
      args: isV2
        ? [pool.address, tokenIn, amount, 9_970n]
        : [pool.address, tokenIn, tokenIn.toLowerCase() < tokenOut.toLowerCase(), amount],
    })
    const { gasUsed } = await send({ to: direct, data })
    return { gas: Number(gasUsed), out: (await balance()) - before }
  }

  async function balance(): Promise<bigint> {
    const args = [from] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
    return BigInt(await rpc.request<Hex>('eth_call', [{ to: tokenOut, data }, 'latest']))
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
    const { gasUsed } = await send({ to: router, data })
    return Number(gasUsed)
  }

  return {
    /**
     * The price moves with each swap, so a quote from the one before is not beaten and no surplus is announced.
     *
     * @returns Gas of the route, and of direct swaps of its legs; `further` is what the last of several adds.
     */
    async compare(pools: readonly DevnetPool[]) {
      const part = amountIn / BigInt(pools.length)
      let quoted = 0n
      for (const pool of pools) quoted += (await swapDirect(pool, part)).out
      await swapOurs(pools, quoted)
      const directs: number[] = []
      for (const pool of pools) directs.push((await swapDirect(pool, part)).gas)
      const ours = await swapOurs(pools, quoted)
      // A further leg needs no transaction of its own.
      return { ours, direct: directs[0]!, further: directs.at(-1)! - transactionGas }
    },
  }
}

/** What a transaction costs before it does anything (EIP-2028 aside). */
const transactionGas = 21_000

type Receipt = { status: Hex; gasUsed: Hex; contractAddress: Address | null }
