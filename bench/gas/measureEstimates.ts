import { createRpc } from '@sluice/deploy'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import { type Plan, PlanCall, SwapCall } from '@sluice/domain'
import { type Address, encodeFunctionData, type Hex, maxUint256, numberToHex, parseAbi } from 'viem'
import { meteredCall } from '../lib/meteredCall.js'
import { openSender } from '../lib/openSender.js'
import * as Random from '../optimizer/Random.js'

/** A swap that was quoted, sent and measured. */
export type Estimate = {
  chainId: number
  estGas: number
  gasUsed: number
  /** Names of the legs' venues, in order. */
  venues: readonly string[]
  plan: Plan.Plan
}

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function deposit() payable',
  'function approve(address spender, uint256 value)',
])
/** Tokens that treat their holders badly or have no price, and the one that nobody may mint. */
const hostile = ['LEVY', 'HALT', 'MIRAGE', 'PYRE', 'BLOAT', 'SLU']
const gasPrices = [0n, 10n ** 7n, 10n ** 9n, 2n * 10n ** 10n]
const [leastUsd, mostUsd] = [20, 2_000_000]

/**
 * Quotes and sends drawn trades one after the other, so that each meets what the ones before left behind. The recipient
 * holds some of what is bought.
 */
export async function measureEstimates(
  devnet: Devnet,
  { seed, count }: { seed: number; count: number },
): Promise<Estimate[]> {
  const random = Random.from(seed)
  const traders = await Promise.all(devnet.chains.map((chain) => openTrader(devnet, chain)))
  const estimates: Estimate[] = []
  for (let i = 0; i < count; ++i) {
    const trader = Random.pick(random, traders)
    const estimate = await trader.trade(random)
    if (estimate) estimates.push(estimate)
  }
  return estimates
}

async function openTrader(devnet: Devnet, chain: DevnetChain) {
  const from = devnet.account.address
  const rpc = createRpc(chain.rpcUrl)
  const send = openSender(rpc, from)
  const { quoter, router } = devnet.deployments.chains[chain.chainId]!.versions['1.0.0']!
  const traded = new Set(chain.pools.flatMap(({ token0, token1 }) => [token0, token1]))
  const tokens = [...traded].filter((symbol) => !hostile.includes(symbol)).sort()
  for (const symbol of tokens) await provide(symbol)

  /** Enough of a token for all trades, and the Router's allowance. */
  async function provide(symbol: string) {
    const { address, decimals, usd } = chain.tokens[symbol]!
    const amount = unitsOf(1e9, usd, decimals)
    if (symbol === 'WETH') {
      await rpc.request('anvil_setBalance', [from, numberToHex(2n * amount)])
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'deposit' })
      await send({ to: address, data, value: numberToHex(amount) })
    } else {
      const args = [from, amount] as const
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args })
      await send({ to: address, data })
    }
    const args = [router, maxUint256] as const
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
    await send({ to: address, data })
  }

  return {
    /** `undefined` where there is no route. */
    async trade(random: Random.Random): Promise<Estimate | undefined> {
      const tokenIn = Random.pick(random, tokens)
      const tokenOut = Random.pick(
        random,
        tokens.filter((symbol) => symbol !== tokenIn),
      )
      const usd = Random.between(random, leastUsd, mostUsd)
      const gasPrice = Random.pick(random, gasPrices)
      const sold = chain.tokens[tokenIn]!
      const asked = {
        tokenIn: sold.address,
        tokenOut: chain.tokens[tokenOut]!.address,
        amountIn: unitsOf(usd, sold.usd, sold.decimals),
      }
      const call = PlanCall.encode({ ...asked, isExact: false, gasPrice, connectors: [] })
      const { result } = await meteredCall(rpc, quoter, call)
      const plan = PlanCall.decode(result)
      if (plan.verdict !== 'Executable') return undefined
      const data = swapOf(plan, from)
      const { gasUsed } = await send({ to: router, data })
      return {
        chainId: chain.chainId,
        estGas: Number(plan.estGas),
        gasUsed: Number(gasUsed),
        venues: plan.route.legs.map(({ venue }) => chain.venues[venue - 1]!),
        plan,
      }
    },
  }
}

function swapOf({ route }: Plan.Plan, recipient: Address): Hex {
  return SwapCall.encode({ route, minOut: 1n, recipient, deadline: maxUint256 })
}

function unitsOf(usd: number, price: number, decimals: number): bigint {
  return (BigInt(Math.round((usd / price) * 1e6)) * 10n ** BigInt(decimals)) / 10n ** 6n
}
