import { lensAbi } from '@sluice/abi'
import type { EthCall } from '@sluice/rpc'
import { type Address, decodeFunctionResult, encodeFunctionData, numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { Head } from '../heads/Head.js'
import { balanceCall, balanceOf, findBalanceSlots } from '../holdings/findBalanceSlots.js'
import { type LensOptions, type RepeatableCall, repeatable } from '../lens/askLens.js'
import { lensCode } from '../lens/lensCall.js'
import { type PinnedCall, type PinnedResult, readPinned } from '../quotes/readPinned.js'

/**
 * Tax that a token takes from transfers, in basis points: from a pool, to a pool, and between others. `undefined` means
 * not measured, not zero.
 */
export type Tax = {
  readonly buyBps: number | undefined
  readonly sellBps: number | undefined
  readonly transferBps: number | undefined
  /** Why a tax was not measured. */
  readonly reason: string | undefined
  /** The calls that measured it. */
  readonly calls: readonly RepeatableCall[]
}

/** Time limit for finding the balance slot and for the transfers, in milliseconds. */
const budgetMs = 2_300
const callGas = 8_000_000n
/**
 * Divisor of the pool's balance that is transferred. The amount is rounded down to a multiple of 10,000, so that basis
 * points are exact.
 */
const poolParts = 1_000n
const wholeBps = 10_000n

/** Unused accounts. */
const trader: Address = '0x0000000000000000000000000000747261646572'
const stranger: Address = '0x000000000000000000000000737472616e676572'

/**
 * Simulates transfers on the block of the report and measures what arrives. A purchase is a transfer from the pool: for
 * one call the Lens replaces the pool's code. A sale is a transfer to the unchanged pool from an account whose balance
 * is set by a state override.
 */
export async function measureTax(
  state: ChainState,
  parameters: { token: Address; pair: Address; balance: bigint; block: Head },
  options: LensOptions,
): Promise<Tax> {
  const { balance, block, pair, token } = parameters
  const amount = (balance / poolParts / wholeBps) * wholeBps
  if (amount === 0n) return unknownTax('The pool holds too little of the token for a measurement.')
  const takers = state.upstreams.filter(({ can }) => can.takesOverrides !== false)
  if (takers.length === 0) return unknownTax('No node takes state overrides.')
  const endsAt = performance.now() + budgetMs
  const left = () => ({ ...options, block, budgetMs: endsAt - performance.now() })
  const wanted = [{ token, holder: trader }]
  const [slot] = await findBalanceSlots(state, wanted, { ...left(), isUnchecked: true })
  const calls = [callOf(pair, { token, recipients: [stranger], amount }, {})]
  const checks: PinnedCall[] = []
  if (slot !== undefined) {
    const funds = { [token]: { stateDiff: { [slot]: numberToHex(2n * amount, { size: 32 }) } } }
    calls.push(callOf(trader, { token, recipients: [pair, stranger], amount }, funds))
    checks.push(balanceCall(token, trader, { [slot]: 2n * amount }))
  }
  const read = await readPinned(state, [...calls, ...checks], { ...left(), needsOverrides: true })
  const outcomes = read.ok ? read.results : []
  const isFunded = slot !== undefined && balanceOf(outcomes[2]) === 2n * amount
  const [bought] = readDeliveries(outcomes[0], 1)
  const [sold, moved] = isFunded ? readDeliveries(outcomes[1], 2) : []
  const deliveries = [bought, sold, moved]
  return {
    buyBps: taxOf(bought, amount),
    sellBps: taxOf(sold, amount),
    transferBps: taxOf(moved, amount),
    reason: reasonOf(deliveries, read.ok ? isFunded : slot !== undefined),
    calls: calls.map((call) => repeatable(call, block)),
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
): EthCall {
  const { amount, recipients, token } = transfer
  const data = encodeFunctionData({
    abi: lensAbi,
    functionName: 'deliver',
    args: [token, recipients, amount],
  })
  const override = { [place]: { code: lensCode }, ...funds }
  return { to: place, data, gas: callGas, override }
}

function readDeliveries(
  result: PinnedResult | undefined,
  count: number,
): readonly (Delivery | undefined)[] {
  if (!result?.ok) return []
  try {
    const { data } = result
    const [, deliveries] = decodeFunctionResult({ abi: lensAbi, functionName: 'deliver', data })
    return deliveries.length === count ? deliveries : []
  } catch {
    return []
  }
}

/**
 * Share of the amount that did not arrive, in basis points. Receiving more than was sent is not a valid measurement.
 */
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
  if (!isFunded) return 'The balance slot of the token was not found, so no sale was simulated.'
  const isMeasured = deliveries.every((delivery) => delivery?.measured)
  return isMeasured ? undefined : 'The transfer or the balances could not be read.'
}
