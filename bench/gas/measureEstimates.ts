import { createRpc } from '@sluice/deploy'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import { type Plan, PlanCall, SwapCall, SwapGas } from '@sluice/domain'
import { type Address, encodeFunctionData, type Hex, maxUint256, numberToHex, parseAbi } from 'viem'
import { meteredCall } from '../lib/meteredCall.js'
import { openSender } from '../lib/openSender.js'
import * as Random from '../optimizer/Random.js'

/** Measurements of a swap that was quoted and sent. */
export type Estimate = {
  chainId: number
  way: SwapCall.UnsignedWay
  /** Whether the recipient held none of the output token before. */
  isFresh: boolean
  estGas: number
  gasUsed: number
  /** The gas limit in the quote, and the lowest limit with which the swap does not revert. */
  limit: number
  needed: number
  /** Names of the legs' venues, in order. */
  venues: readonly string[]
  plan: Plan.Plan
}

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function deposit() payable',
  'function approve(address spender, uint256 value)',
])
/** Tokens that are left out: hostile ones, one without a price, and one that cannot be minted. */
const hostile = ['LEVY', 'HALT', 'MIRAGE', 'PYRE', 'BLOAT', 'SLU']
const gasPrices = [0n, 10n ** 7n, 10n ** 9n, 2n * 10n ** 10n]
const [minUsd, maxUsd] = [20, 2_000_000]

/**
 * Quotes and sends random trades one after the other, on the state that the previous trades left. Half of the recipients
 * hold none of the output token. Their first balance costs more gas, and `estGas` includes it here, like in the response to
 * a request with `sender`.
 */
export async function measureEstimates(
  devnet: Devnet,
  { seed, count }: { seed: number; count: number },
): Promise<Estimate[]> {
  const random = Random.from(seed)
  const traders = await Promise.all(devnet.chains.map((chain) => openTrader(devnet, chain)))
  const estimates: Estimate[] = []
  const withMoreWays = traders.filter(({ hasMoreWays }) => hasMoreWays)
  for (let i = 0; i < count; ++i) {
    const trader = Random.pick(random, i % 2 === 0 ? traders : withMoreWays)
    const estimate = await trader.trade(random)
    if (estimate) estimates.push(estimate)
  }
  return estimates
}

const ways = ['allowance', 'nativeIn', 'nativeOut'] as const

async function openTrader(devnet: Devnet, chain: DevnetChain) {
  const from = devnet.account.address
  const rpc = createRpc(chain.rpcUrl)
  const send = openSender(rpc, from)
  const { versions } = devnet.deployments.chains[chain.chainId]!
  const generations = Object.values(versions)
  const traded = new Set(chain.pools.flatMap(({ token0, token1 }) => [token0, token1]))
  const tokens = [...traded].filter((symbol) => !hostile.includes(symbol)).sort()
  let strangers = 0n
  for (const symbol of tokens) await provide(symbol)

  /** Mints enough of a token for all trades, and approves the Routers. */
  async function provide(symbol: string) {
    const { address, decimals, usd } = chain.tokens[symbol]!
    const amount = unitsOf(1e9, usd, decimals)
    if (symbol === 'WETH') {
      await rpc.request('anvil_setBalance', [from, numberToHex(3n * amount)])
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'deposit' })
      await send({ to: address, data, value: numberToHex(amount) })
    } else {
      const args = [from, amount] as const
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args })
      await send({ to: address, data })
    }
    for (const { router } of generations) {
      const args = [router, maxUint256] as const
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
      await send({ to: address, data })
    }
  }

  return {
    /** Whether the chain has 2.0.0, which accepts and pays native coin. */
    hasMoreWays: versions['2.0.0'] !== undefined,
    /** Quotes and sends a random trade; `undefined` if there is no route. */
    async trade(random: Random.Random): Promise<Estimate | undefined> {
      const isSecond = versions['2.0.0'] !== undefined && Random.pick(random, [true, false])
      const way = isSecond ? Random.pick(random, ways) : 'allowance'
      const tokenIn = way === 'nativeIn' ? 'WETH' : Random.pick(random, tokens)
      if (way === 'nativeOut' && tokenIn === 'WETH') return undefined
      const others = tokens.filter((symbol) => symbol !== tokenIn)
      const tokenOut = way === 'nativeOut' ? 'WETH' : Random.pick(random, others)
      const usd = Random.between(random, minUsd, maxUsd)
      const gasPrice = Random.pick(random, gasPrices)
      const isFresh = Random.pick(random, [true, false])
      const { quoter, router } = versions[isSecond ? '2.0.0' : '1.0.0']!
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
      const firstUnits = isFresh ? SwapGas.firstUnits(way) : 0n
      const recipient = isFresh ? numberToHex(0xa11ce00000000n + ++strangers, { size: 20 }) : from
      const data = swapOf(plan, way, recipient)
      const value = numberToHex(SwapCall.coinOf(way, plan.route))
      const swap = { to: router, data, value }
      const needed = await rpc.request<Hex>('eth_estimateGas', [{ from, ...swap }])
      const { gasUsed } = await send(swap)
      return {
        chainId: chain.chainId,
        way,
        isFresh,
        estGas: Number(SwapGas.estimate(plan, way) + firstUnits),
        gasUsed: Number(gasUsed),
        limit: Number(SwapGas.limit(plan, way)),
        needed: Number(needed),
        venues: plan.route.legs.map(({ venue }) => chain.venues[venue - 1]!),
        plan,
      }
    },
  }
}

function swapOf({ route }: Plan.Plan, way: SwapCall.UnsignedWay, recipient: Address): Hex {
  return SwapCall.encode({ route, way, minOut: 1n, recipient, deadline: maxUint256 })
}

function unitsOf(usd: number, price: number, decimals: number): bigint {
  return (BigInt(Math.round((usd / price) * 1e6)) * 10n ** BigInt(decimals)) / 10n ** 6n
}
