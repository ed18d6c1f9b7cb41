import { coreAbi, routerV2Abi, stakingAbi } from '@sluice/abi'
import type { Rpc } from '@sluice/deploy'
import { type Deployments, type Plan, PlanCall, SwapCall } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { trader } from './account.js'
import type { ChainSpec } from './chains.js'
import { DevnetError } from './errors.js'
import { fund } from './fund.js'
import { sendInOneBlock, type Transaction } from './transactions.js'

/** Base units of SLU. */
const stake = 5_000_000n * 10n ** 18n
const rewards = 250_000n * 10n ** 18n
/** Amounts in US dollars that the trader gets of each token, and that a trade sells. */
const traderUsd = 10_000
const tradeUsd = 1_000

type Trade = {
  version: '1.0.0' | '2.0.0'
  tokenIn: string
  tokenOut: string
  /** Pays native coin instead of the wrapped token. */
  isNative?: true
}

/** Gas that every node allows for a call; the quote of a trade needs only a fraction. */
const gas = numberToHex(2n ** 24n)

/** These trades pay fees in three tokens, one of them SLU. */
const trades: readonly Trade[] = [
  { version: '1.0.0', tokenIn: 'USDC', tokenOut: 'WETH' },
  { version: '1.0.0', tokenIn: 'SLU', tokenOut: 'USDC' },
  { version: '2.0.0', tokenIn: 'WETH', tokenOut: 'USDC', isNative: true },
  { version: '2.0.0', tokenIn: 'USDC', tokenOut: 'SLU' },
  { version: '2.0.0', tokenIn: 'SLU', tokenOut: 'WETH' },
]

/**
 * Stakes SLU, funds rewards and trades on both generations, so that the chain has data to show: fees in Core's ledger,
 * a stream of rewards, and swaps for the statistics.
 */
export async function tradeOnGenerations(
  rpc: Rpc,
  spec: ChainSpec,
  { account, versions }: { account: Address; versions: Deployments.ChainDeployments['versions'] },
): Promise<void> {
  // With automatic mining, a new block could appear between a quote and its transaction.
  await rpc.request('evm_setAutomine', [false])
  const { core, staking } = versions['2.0.0']!
  await sendInOneBlock(rpc, [
    fundTrader(spec, account),
    ...approvals(spec, versions),
    fromTrader(staking, callStaking('stake', stake)),
    fromTrader(staking, callStaking('fund', rewards)),
  ])
  const plans = await quoteTrades(rpc, spec, versions)
  await sendInOneBlock(rpc, [
    ...trades.map((trade, index) => swapOf(trade, plans[index]!, versions[trade.version]!.router)),
    // Core counts what has arrived when it is next touched.
    ...['USDC', 'WETH'].map((symbol) => fromTrader(core, callRecord(tokenOf(spec, symbol)))),
    fromTrader(core, encodeFunctionData({ abi: coreAbi, functionName: 'fundStakers' })),
  ])
  await rpc.request('evm_setAutomine', [true])
}

function fundTrader(spec: ChainSpec, account: Address): Transaction {
  const sold = ['USDC', 'SLU'].map((symbol) => tokenOf(spec, symbol))
  const amounts = sold.map(
    ({ address, decimals, usd }) =>
      worth(traderUsd, { decimals, usd }) + (address === spec.slu ? stake + rewards : 0n),
  )
  return fund(account, { tokens: sold.map(({ address }) => address), to: trader.address, amounts })
}

function approvals(
  spec: ChainSpec,
  versions: Deployments.ChainDeployments['versions'],
): Transaction[] {
  const slu = tokenOf(spec, 'SLU')
  const sold = trades
    .filter(({ isNative }) => !isNative)
    .map(({ tokenIn, version }) => {
      const token = tokenOf(spec, tokenIn)
      const spender = versions[version]!.router
      return { token: token.address, spender, amount: worth(tradeUsd, token) }
    })
  const staked = {
    token: slu.address,
    spender: versions['2.0.0']!.staking,
    amount: stake + rewards,
  }
  return [...sold, staked].map(({ amount, spender, token }) => {
    const args = [spender, amount] as const
    return fromTrader(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
  })
}

async function quoteTrades(
  rpc: Rpc,
  spec: ChainSpec,
  versions: Deployments.ChainDeployments['versions'],
): Promise<Plan.Plan[]> {
  const answers = await rpc.batch<Hex>(
    trades.map(({ tokenIn, tokenOut, version }) => {
      const token = tokenOf(spec, tokenIn)
      const data = PlanCall.encode({
        tokenIn: token.address,
        tokenOut: tokenOf(spec, tokenOut).address,
        amountIn: worth(tradeUsd, token),
        isExact: false,
        gasPrice: 0n,
        connectors: [],
      })
      return ['eth_call', [{ to: versions[version]!.quoter, data, gas }, 'latest']]
    }),
  )
  return answers.map((answer) => {
    const plan = PlanCall.decode(answer)
    if (plan.verdict !== 'Executable')
      throw new DevnetError('SEEDING_FAILED', `A first trade has no route: ${plan.verdict}.`)
    return plan
  })
}

function swapOf({ isNative }: Trade, { ironFloor, route }: Plan.Plan, router: Address) {
  const order = { route, minOut: ironFloor, recipient: trader.address, deadline: 2n ** 40n }
  if (!isNative) return fromTrader(router, SwapCall.encode(order))
  const args = [route, order.minOut, order.recipient, order.deadline] as const
  const data = encodeFunctionData({ abi: routerV2Abi, functionName: 'swapExactInNative', args })
  return { ...fromTrader(router, data), value: route.amountIn }
}

function callStaking(functionName: 'stake' | 'fund', amount: bigint): Hex {
  return encodeFunctionData({ abi: stakingAbi, functionName, args: [amount] })
}

function callRecord({ address }: { address: Address }): Hex {
  return encodeFunctionData({ abi: coreAbi, functionName: 'recordFee', args: [address] })
}

function fromTrader(to: Address, data: Hex): Transaction {
  return { from: trader.address, to, data }
}

function tokenOf({ tokens }: ChainSpec, symbol: string) {
  return tokens.find((token) => token.symbol === symbol)!
}

/** Converts US dollars to base units of a token. */
function worth(dollars: number, { decimals, usd }: { decimals: number; usd: number }): bigint {
  return (BigInt(Math.round((dollars / usd) * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n
}
