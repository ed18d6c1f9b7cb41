import { lensAbi } from '@sluice/abi'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { findBalanceSlot } from '../holdings/findBalanceSlot.js'
import { type RepeatableCall, repeatable } from '../lens/askLens.js'
import { lensCode } from '../lens/lensCall.js'
import { callBatch, type RpcCall, type RpcOutcome } from '../rpc/callBatch.js'

/**
 * What a token keeps back of transfers, in basis points: from a pool, to a pool, and between others. `undefined` where it
 * could not be measured, which is not zero.
 */
export type Tax = {
  readonly buyBps: number | undefined
  readonly sellBps: number | undefined
  readonly transferBps: number | undefined
  /** Why something was not measured. */
  readonly reason: string | undefined
  /** The calls with which it was measured. */
  readonly calls: readonly RepeatableCall[]
}

const timeoutMs = 1_500
const callGas = 8_000_000n
/** What is moved is this part of what the pool holds, and divides into basis points without a rest. */
const poolParts = 1_000n
const wholeBps = 10_000n

/** Accounts of nobody. */
const trader: Address = '0x0000000000000000000000000000747261646572'
const stranger: Address = '0x000000000000000000000000737472616e676572'

/**
 * Moves the token and looks at what arrives. A purchase is a transfer by the pool itself, in whose place the Lens stands
 * for one call; a sale is one to the pool, as it is, by somebody whose balance is made up for the call.
 */
export async function measureTax(
  state: ChainState,
  parameters: { token: Address; pair: Address; balance: bigint },
  signal?: AbortSignal | undefined,
): Promise<Tax> {
  const { balance, pair, token } = parameters
  const amount = (balance / poolParts / wholeBps) * wholeBps
  if (amount === 0n) return unknownTax('The pool holds too little of the token to measure with.')
  const upstream = state.upstreams.find(
    ({ isExcluded, takesOverrides }) => !isExcluded && takesOverrides !== false,
  )
  if (upstream === undefined) return unknownTax('No node takes state overrides.')
  const slot = await findBalanceSlot(state, token, { holder: trader, signal })
  const buy = callOf(pair, { token, recipients: [stranger], amount }, {})
  const calls = [buy]
  if (slot !== undefined) {
    const funds = { [token]: { stateDiff: { [slot]: numberToHex(2n * amount, { size: 32 }) } } }
    calls.push(callOf(trader, { token, recipients: [pair, stranger], amount }, funds))
  }
  const outcomes = await callBatch(upstream, calls, { timeoutMs, signal })
  const [bought] = readDeliveries(outcomes[0], 1)
  const [sold, moved] = readDeliveries(outcomes[1], 2)
  const deliveries = [bought, sold, moved]
  return {
    buyBps: taxOf(bought, amount),
    sellBps: taxOf(sold, amount),
    transferBps: taxOf(moved, amount),
    reason: reasonOf(deliveries, slot !== undefined),
    calls: calls.map(repeatable),
  }
}

export function unknownTax(reason: string): Tax {
  return {
    buyBps: undefined,
    sellBps: undefined,
    transferBps: undefined,
    reason,
    calls: [],
  }
}

type Delivery = { readonly ok: boolean; readonly measured: boolean; readonly received: bigint }

function callOf(
  place: Address,
  transfer: { token: Address; recipients: readonly Address[]; amount: bigint },
  funds: Readonly<Record<Address, object>>,
): RpcCall {
  const { amount, recipients, token } = transfer
  const data = encodeFunctionData({
    abi: lensAbi,
    functionName: 'deliver',
    args: [token, recipients, amount],
  })
  const override = { [place]: { code: lensCode }, ...funds }
  const call = { to: place, data, gas: numberToHex(callGas) }
  return { method: 'eth_call', params: [call, 'latest', override] }
}

function readDeliveries(
  outcome: RpcOutcome | undefined,
  count: number,
): readonly (Delivery | undefined)[] {
  if (!outcome?.ok) return []
  try {
    const data = outcome.result as Hex
    const [, deliveries] = decodeFunctionResult({ abi: lensAbi, functionName: 'deliver', data })
    return deliveries.length === count ? deliveries : []
  } catch {
    return []
  }
}

/** What did not arrive. More than was sent is no tax and no measurement. */
function taxOf(delivery: Delivery | undefined, amount: bigint): number | undefined {
  if (!delivery?.ok || !delivery.measured || delivery.received > amount) return undefined
  return Math.round(Number(wholeBps * (amount - delivery.received)) / Number(amount))
}

function reasonOf(
  deliveries: readonly (Delivery | undefined)[],
  isFunded: boolean,
): string | undefined {
  if (deliveries.some((delivery) => delivery !== undefined && !delivery.ok))
    return 'The token refuses the transfer.'
  if (!isFunded) return 'Where the token keeps balances was not found, so no sale was tried.'
  const isMeasured = deliveries.every((delivery) => delivery?.measured)
  return isMeasured ? undefined : 'The transfer or the balances could not be read.'
}
