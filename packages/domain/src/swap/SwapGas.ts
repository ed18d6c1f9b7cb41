import type { Hex } from 'viem'
import type { Plan, Route } from '../plan/Plan.js'
import type { IntegratorFee } from './IntegratorFee.js'
import type { SwapWay } from './SwapWay.js'

/**
 * Additional gas of each way of payment compared with an allowance, fitted to receipts. The cost of a signature depends on
 * the token and the signer; these values are for plain tokens and plain accounts.
 */
const wayGas: Readonly<Record<SwapWay, bigint>> = {
  allowance: 0n,
  nativeIn: 7_500n,
  nativeOut: 8_800n,
  permit: 32_000n,
  permit2: 40_000n,
}
/** Additional gas of paying an integrator who holds some of the output token already, fitted to receipts. */
const integratorGas = 13_500n
/** Gas for paying native coin to an empty account (EIP-161). */
const newAccountGas = 25_000n

/** Additional gas for writing a slot that was zero (EIP-2200): 22,100 instead of 5,000. */
const firstWriteGas = 17_100n
/** Refund for a slot that is zero before and after the transaction, and not in between (EIP-3529). */
const clearedGas = 19_900n
/**
 * Reserve of a gas limit, in percent of the estimate. The estimate is after refunds of up to a fifth (EIP-3529), and the
 * limit must cover the gas before refunds: up to a quarter more. The rest is for changes in the next blocks: prices move,
 * and a swap crosses other ticks.
 */
const sparePercent = 40n

/**
 * Gas of the whole transaction, for a recipient and an integrator who already hold `tokenOut`.
 *
 * @param integratorFee The fee, if an integrator takes a part of the output.
 */
export function estimate(
  { estGas }: Pick<Plan, 'estGas'>,
  way: SwapWay,
  integratorFee?: IntegratorFee | undefined,
): bigint {
  return estGas === 0n ? 0n : estGas + wayGas[way] + (integratorFee ? integratorGas : 0n)
}

/** Additional gas for a recipient who holds nothing of the output. */
export function firstUnits(way: SwapWay): bigint {
  return way === 'nativeOut' ? newAccountGas : firstWriteGas
}

/**
 * Gas limit that is safe in the next blocks. It covers what a receipt does not show and a quote cannot know: refunds, which
 * are only paid at the end; a recipient without a balance; pools that write a slot for the first time; and more ticks than at
 * the quoted block. Unused gas is not paid.
 *
 * @param integratorFee The fee, if an integrator takes a part of the output.
 */
export function limit(
  { estGas, route }: Pick<Plan, 'estGas' | 'route'>,
  way: SwapWay,
  integratorFee?: IntegratorFee | undefined,
): bigint {
  const needed = estimate({ estGas }, way, integratorFee)
  const receivers = integratorFee ? 2 : 1
  const firstWrites = BigInt(receivers + route.legs.length + middleTokensOf(route)) * firstWriteGas
  const newAccount = way === 'nativeOut' ? newAccountGas : 0n
  return roundUp((needed * (100n + sparePercent)) / 100n + firstWrites + newAccount)
}

/** Number of intermediate tokens. The Router's balance of each is written for the first time, and is zero at the end. */
function middleTokensOf({ legs, tokenOut }: Route): number {
  return new Set(legs.flatMap((leg) => (leg.tokenOut === tokenOut ? [] : [leg.tokenOut]))).size
}

/** Refund for a slot that a swap empties, such as a balance or an allowance (EIP-3529). */
export const emptiedGas = 4_800n
/** Refund for an emptied allowance, minus the cost of writing it. */
export const wholeAllowanceGas = 1_900n

/** Base gas of a transaction, and gas of each byte of calldata (EIP-2028). */
const transactionGas = { base: 21_000n, zeroByte: 4n, otherByte: 16n } as const

/** The maximum refund is the used gas divided by this (EIP-3529). */
const refundParts = 5n

/** Gas that a CALL costs and a transaction does not: access to a cold account, and the transfer of native coin. */
const callCosts = { account: 2_500n, coin: 6_700n } as const

/**
 * Gas that a swap saves if earlier calls of the same transaction did it: the first access to an account or a slot (EIP-2929),
 * and the first write of a slot (EIP-2200).
 */
export const warmed = { account: 2_500n, slot: 2_000n, write: 2_800n } as const

/** Gas of a transaction before refunds, from the measured gas of its CALL by an account with code. */
export function burnedOfMeasured(measured: { callGas: bigint; data: Hex; value: bigint }): bigint {
  const { callGas, data, value } = measured
  const { account, coin } = callCosts
  return fixedGas(data) + callGas - account - (value > 0n ? coin : 0n)
}

/** Gas that a receipt shows: the used gas minus refunds, up to the maximum refund. */
export function afterRefunds(burned: bigint, refunds: bigint): bigint {
  const most = burned / refundParts
  return burned - (refunds < most ? refunds : most)
}

/** Refunds for the Router's balances of the output and of intermediate tokens, which every route fills and empties. */
export function routeRefunds({ route }: Pick<Plan, 'route'>): bigint {
  return BigInt(1 + middleTokensOf(route)) * clearedGas
}

/** Gas limit of a transaction from the measured gas of its call, with the same reserve. */
export function limitOfMeasured(measured: { callGas: bigint; data: Hex; legs?: number }): bigint {
  const { callGas, data, legs = 0 } = measured
  // A call can pass on at most 63/64 of its gas (EIP-150).
  const call = (callGas * 64n) / 63n
  const spare = (call * sparePercent) / 100n + BigInt(legs) * firstWriteGas
  return roundUp(fixedGas(data) + call + spare)
}

/** Gas of a transaction before execution: the base cost and the calldata. */
function fixedGas(data: Hex): bigint {
  const { base, otherByte, zeroByte } = transactionGas
  let gas = base
  for (let at = 2; at < data.length; at += 2)
    gas += data.startsWith('00', at) ? zeroByte : otherByte
  return gas
}

function roundUp(gas: bigint): bigint {
  return ((gas + 999n) / 1_000n) * 1_000n
}
