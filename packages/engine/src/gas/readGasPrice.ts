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

/** A small read: a node that takes longer is left out. */
const timeoutMs = 500
/** Hosts that are asked, so that of three one may say anything. */
const maxHosts = 3
/** No chain was ever so dear: whoever says more is not believed. */
const maxWei = 10n ** 13n
/** Digits that count: a price moves with every block, and equal questions should stay equal. */
const digits = 3
/** What a transaction of three swaps takes, and how long its calldata is. */
const usual = { gas: 400_000n, bytes: 1_100 } as const

/**
 * What a unit of gas costs now, in wei: base fee and tip, and the usual data fee on rollups, spread over the gas.
 * Asks up to three hosts and takes the median, or the lower of two answers. `undefined` if no host answers.
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
    /** What is sent is taken from it. @default no limit */
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

/** As hard to compress as a route: half of its bytes differ, the others are zeros. */
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

/** Nothing if the chain has no such contract, as on a development node. */
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

/** Up to so many digits. */
function rounded(wei: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(`${wei}`.length - digits, 0))
  return ((wei + unit - 1n) / unit) * unit
}
