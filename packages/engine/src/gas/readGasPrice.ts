import { Chains } from '@sluice/domain'
import {
  type Budget,
  callBatch,
  type RpcCall,
  type RpcOutcome,
  rankUpstreams,
  type Upstream,
} from '@sluice/rpc'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem'
import type { ChainState } from '../ChainState.js'

/** Timeout of this small read, in milliseconds. A slower node is left out. */
const timeoutMs = 500
/** Maximum number of hosts asked. With three, one wrong answer cannot move the median out of the honest range. */
const maxHosts = 3
/** Upper bound on a plausible gas price, in wei. Higher answers are ignored. */
const maxWei = 10n ** 13n
/** Significant digits kept: the price moves with every block, and equal requests should stay equal. */
const digits = 3
/** Gas and calldata length in bytes of a transaction with three swaps. */
const usual = { gas: 400_000n, bytes: 1_100 } as const

/**
 * Reads the cost of a unit of gas, in wei: base fee and tip, plus on rollups the usual data fee divided by the gas.
 * Asks up to three hosts and takes the median, or the lower of two answers. Returns `undefined` if no host answers.
 */
export async function readGasPrice(
  state: ChainState,
  options: readGasPrice.Options = {},
): Promise<bigint | undefined> {
  const ranked = rankUpstreams(state.upstreams, performance.now())
  const hosts = new Map(ranked.toReversed().map((upstream) => [upstream.host, upstream]))
  const asked = [...hosts.values()].reverse().slice(0, maxHosts)
  const prices = await Promise.all(asked.map((upstream) => readOne(state, upstream, options)))
  const known = prices.filter((price) => price !== undefined).sort((a, b) => (a < b ? -1 : 1))
  const middle = known[Math.floor((known.length - 1) / 2)]
  return middle === undefined ? undefined : rounded(middle)
}

export declare namespace readGasPrice {
  type Options = {
    signal?: AbortSignal | undefined
    /** Node requests are charged to this budget. @default no limit */
    budget?: Budget | undefined
  }
}

async function readOne(
  { chain }: ChainState,
  upstream: Upstream,
  { budget, signal }: readGasPrice.Options,
): Promise<bigint | undefined> {
  const calls: RpcCall[] = [
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    { method: 'eth_gasPrice', params: [] },
    ...dataFeeCalls(chain.chainId, chain.contracts.router),
  ]
  const outcomes = await callBatch(upstream, calls, { timeoutMs, signal, budget })
  const [header, tip, gasPrice, dataFee] = outcomes
  const baseFee = quantityOf(header?.ok ? memberOf(header.result, 'baseFeePerGas') : undefined)
  const tipWei = quantityOf(resultOf(tip))
  const price =
    baseFee === undefined || tipWei === undefined
      ? quantityOf(resultOf(gasPrice))
      : baseFee + tipWei
  if (price === undefined) return undefined
  const whole = price + dataFeePerGas(chain.chainId, resultOf(dataFee))
  return whole <= maxWei ? whole : undefined
}

const opStackOracle: Address = '0x420000000000000000000000000000000000000F'
const opStackAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])
const arbitrumNode: Address = '0x00000000000000000000000000000000000000C8'
const arbitrumAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
])

/** Sample calldata, about as hard to compress as a route: half of its bytes vary, the others are zero. */
const usualData: Hex = `0x${Array.from({ length: usual.bytes }, (_, at) =>
  at % 2 === 0 ? ((at * 167) % 256).toString(16).padStart(2, '0') : '00',
).join('')}`

function dataFeeCalls(chainId: number, router: Address): RpcCall[] {
  const dataFee = Chains.find(chainId)?.dataFee
  if (dataFee === undefined) return []
  const call =
    dataFee === 'opStack'
      ? {
          to: opStackOracle,
          data: encodeFunctionData({ abi: opStackAbi, args: [usualData] }),
        }
      : {
          to: arbitrumNode,
          data: encodeFunctionData({ abi: arbitrumAbi, args: [router, false, usualData] }),
        }
  return [{ method: 'eth_call', params: [{ ...call, gas: numberToHex(3_000_000) }, 'latest'] }]
}

/** Returns zero if the chain has no such contract, as on a development node. */
function dataFeePerGas(chainId: number, result: unknown): bigint {
  const dataFee = Chains.find(chainId)?.dataFee
  if (dataFee === undefined || typeof result !== 'string') return 0n
  const data = result as Hex
  try {
    if (dataFee === 'opStack') return decodeFunctionResult({ abi: opStackAbi, data }) / usual.gas
    const [gas, baseFee] = decodeFunctionResult({ abi: arbitrumAbi, data })
    return (gas * baseFee) / usual.gas
  } catch {
    return 0n
  }
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  return outcome?.ok ? outcome.result : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function quantityOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,32}$/.test(value) ? BigInt(value) : undefined
}

/** Rounds up to `digits` significant digits. */
function rounded(wei: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(`${wei}`.length - digits, 0))
  return ((wei + unit - 1n) / unit) * unit
}
