import { type Plan, PlanCall, PlanChecks, SwapCall } from '@sluice/domain'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { meteredCall } from '../lib/meteredCall.js'
import { openSender } from '../lib/openSender.js'
import { bestOut, type Oracle } from '../optimizer/Oracle.js'
import { askQuoter } from '../quality/askQuoter.js'
import type { StoredTrade } from '../quality/loadTrades.js'
import type { Standing } from '../quality/Standing.js'

/** Results of one trade for an output. */
export type Outcome = {
  readonly id: string
  /** Whether the search found a route. */
  readonly found: boolean
  /** What the recipient was paid beyond what was asked for, in base units; negative if it was less. */
  readonly over: bigint
  /** What the trader's balance lost beyond the quoted input, in base units. */
  readonly taken: bigint
  /** Gap of the input in basis points; undefined if no bound is claimed. */
  readonly gapBps: number | undefined
  /** Quoted input divided by the input whose output was asked for. */
  readonly vsForward: number
  /** Whether the bound is above an input that delivers as much, or below what the float optimum needs. */
  readonly violation: boolean
  /** Gas of the call, divided by that of the call for an input. */
  readonly gasRatio: number
  readonly gas: number
}

const trader: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const recipient: Address = '0x00000000000000000000000000000000000000aa'
/** Float noise of the oracle. */
const noise = 1e-9
const far = 2n ** 64n

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function balanceOf(address holder) view returns (uint256)',
])

/** Asks for what a trade delivers, executes the answer on the real Router, and undoes it. */
export async function measureOutput(
  standing: Standing,
  { oracle, trade }: { oracle: Oracle; trade: StoredTrade },
): Promise<Outcome | undefined> {
  const { tokens } = standing
  const [tokenIn, tokenOut] = [tokens[trade.tokenIn]!, tokens[trade.tokenOut]!]
  const amountIn = BigInt(trade.amountIn)
  const forward = await askQuoter(standing, { tokenIn, tokenOut, amountIn }, [], 0n)
  const amountOut = forward.plan.netOut
  if (amountOut === 0n) return undefined
  const { gas, plan } = await askForOutput(standing, { tokenIn, tokenOut, amountOut })
  const { route } = plan
  const { lowerBound, gapMicroBps } = plan.inputBound!
  const isClaimed = gapMicroBps < far
  const measured = {
    id: trade.id,
    gas,
    gasRatio: gas / forward.gas,
    gapBps: isClaimed ? Number(gapMicroBps) / 1e6 : undefined,
  }
  if (route.legs.length === 0)
    return { ...measured, found: false, over: 0n, taken: 0n, vsForward: 1, violation: false }
  const { delivered, sold } = await execute(standing, plan, amountOut)
  return {
    ...measured,
    found: true,
    over: delivered - amountOut,
    taken: sold - route.amountIn,
    vsForward: Number(route.amountIn) / Number(amountIn),
    violation:
      isClaimed &&
      (lowerBound > amountIn || isBeaten(standing, { oracle, trade, plan, lowerBound })),
  }
}

async function askForOutput(
  { contracts, rpc }: Standing,
  asked: { tokenIn: Address; tokenOut: Address; amountOut: bigint },
): Promise<{ plan: Plan.Plan; gas: number }> {
  const question = { ...asked, amountIn: 0n, isExact: false, gasPrice: 0n, connectors: [] }
  const { gas, result } = await meteredCall(rpc, contracts.quoter, PlanCall.encode(question))
  const plan = PlanCall.decode(result)
  const problem = PlanChecks.problem(plan, question)
  if (problem) throw new Error(`The plan fails a check: ${problem.reason}.`)
  return { plan, gas }
}

/** Whether the float optimum delivers the plan's output for clearly less than the bound. */
function isBeaten(
  { connectors, open }: Standing,
  {
    lowerBound,
    oracle,
    plan,
    trade: { tokenIn, tokenOut },
  }: { oracle: Oracle; trade: StoredTrade; plan: Plan.Plan; lowerBound: bigint },
): boolean {
  const read = open(new Set([tokenIn, tokenOut, ...connectors]))
  const amountIn = Number(lowerBound) * (1 - noise) - 1
  if (amountIn <= 0) return false
  return bestOut(oracle, read, { tokenIn, tokenOut, amountIn }) > Number(plan.route.grossOut) + 1
}

async function execute(
  { deployments, rpc }: Standing,
  { route }: Plan.Plan,
  amountOut: bigint,
): Promise<{ delivered: bigint; sold: bigint }> {
  const [chain] = Object.values(deployments.chains)
  const { router } = chain!.versions['1.0.0']!
  const snapshot = await rpc.request<Hex>('evm_snapshot', [])
  const send = openSender(rpc, trader)
  const { amountIn, tokenIn, tokenOut } = route
  const write = (functionName: 'mint' | 'approve', args: readonly [Address, bigint]) =>
    send({ to: tokenIn, data: encodeFunctionData({ abi: tokenAbi, functionName, args }) })
  const balanceOf = async (to: Address, holder: Address) => {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [holder] })
    return BigInt(await rpc.request<Hex>('eth_call', [{ to, data }, 'latest']))
  }
  // Twice as much, so that a swap that takes too much shows.
  await write('mint', [trader, 2n * amountIn])
  await write('approve', [router, 2n * amountIn])
  const before = await Promise.all([balanceOf(tokenIn, trader), balanceOf(tokenOut, recipient)])
  await send({
    to: router,
    data: SwapCall.encode({ route, minOut: amountOut, recipient, deadline: far }),
    gas: 30_000_000n,
  })
  const after = await Promise.all([balanceOf(tokenIn, trader), balanceOf(tokenOut, recipient)])
  await rpc.request('evm_revert', [snapshot])
  return { sold: before[0] - after[0], delivered: after[1] - before[1] }
}
