import type { Hex } from 'viem'
import type { Plan, Route } from '../plan/Plan.js'
import type { SwapWay } from './SwapWay.js'

/**
 * What a way of paying costs more than an allowance, fitted to receipts. A signature's own cost depends on the token and
 * the signer; these are those of plain tokens and plain accounts.
 */
const wayGas: Readonly<Record<SwapWay, bigint>> = {
  allowance: 0n,
  nativeIn: 7_500n,
  nativeOut: 8_800n,
  permit: 32_000n,
  permit2: 40_000n,
}
/** What paying native coin to an account that never held any costs (EIP-161). */
const newAccountGas = 25_000n

/** What a slot costs more that held nothing before (EIP-2200): 22,100 in place of 5,000. */
const firstWriteGas = 17_100n
/** What is given back for a slot that held nothing before and holds nothing afterwards (EIP-3529). */
const clearedGas = 19_900n
/**
 * Kept on top of the gas. A fifth of it at most comes back as a refund (EIP-3529), but must be there first, which is a
 * quarter of what is used. The rest is for what the block before writes: prices move, and a swap crosses other ticks.
 */
const sparePercent = 40n

/** Gas of the whole transaction, for a recipient who holds some of `tokenOut` already. */
export function estimate({ estGas }: Pick<Plan, 'estGas'>, way: SwapWay): bigint {
  return estGas === 0n ? 0n : estGas + wayGas[way]
}

/** What is added for a recipient who holds nothing of what is paid out. */
export function firstUnits(way: SwapWay): bigint {
  return way === 'nativeOut' ? newAccountGas : firstWriteGas
}

/**
 * A gas limit that holds in one of the next blocks. It covers what a receipt does not show and what a quote cannot know:
 * refunds, which come after the fact; a recipient who holds nothing yet; pools that write a slot for the first time,
 * because others traded on them before; other ticks than those of the quoted block. Gas that is not used is not paid.
 */
export function limit({ estGas, route }: Pick<Plan, 'estGas' | 'route'>, way: SwapWay): bigint {
  const needed = estimate({ estGas }, way)
  const firstWrites = BigInt(1 + route.legs.length + middleTokensOf(route)) * firstWriteGas
  const newAccount = way === 'nativeOut' ? newAccountGas : 0n
  return roundUp((needed * (100n + sparePercent)) / 100n + firstWrites + newAccount)
}

/** What the Router holds for a moment is written for the first time and given back. */
function middleTokensOf({ legs, tokenOut }: Route): number {
  return new Set(legs.flatMap((leg) => (leg.tokenOut === tokenOut ? [] : [leg.tokenOut]))).size
}

/** What is given back for a slot that a swap empties, such as a balance or an allowance (EIP-3529). */
export const emptiedGas = 4_800n
/** Of an allowance, less what writing it costs. */
export const wholeAllowanceGas = 1_900n

/** Of a transaction before it does anything, and of each byte of its calldata (EIP-2028). */
const transactionGas = { base: 21_000n, zeroByte: 4n, otherByte: 16n } as const

/** The maximum refund is the gas burned, divided by this (EIP-3529). */
const refundParts = 5n

/** What a call costs an account with code, and not the transaction that makes it: a cold account, and coin that moves. */
const callCosts = { account: 2_500n, coin: 6_700n } as const

/**
 * What a swap pays alone that other calls before it in the same transaction have paid for it: the first look at an account
 * or a slot (EIP-2929), and the first write of a slot (EIP-2200).
 */
export const warmed = { account: 2_500n, slot: 2_000n, write: 2_800n } as const

/** What a transaction burns whose call was measured on its own, made by an account with code. */
export function burnedOfMeasured(measured: { callGas: bigint; data: Hex; value: bigint }): bigint {
  const { callGas, data, value } = measured
  const { account, coin } = callCosts
  return fixedGas(data) + callGas - account - (value > 0n ? coin : 0n)
}

/** What a receipt shows if so much is given back, or as much of it as may be. */
export function afterRefunds(burned: bigint, refunds: bigint): bigint {
  const most = burned / refundParts
  return burned - (refunds < most ? refunds : most)
}

/** What is given back for the balances that every route leaves the Router for a moment. */
export function routeRefunds({ route }: Pick<Plan, 'route'>): bigint {
  return BigInt(1 + middleTokensOf(route)) * clearedGas
}

/** Gas limit of a transaction whose call was measured on its own, with the same spare. */
export function limitOfMeasured(measured: { callGas: bigint; data: Hex; legs?: number }): bigint {
  const { callGas, data, legs = 0 } = measured
  // A call may hand on 63 of 64 parts of its gas alone.
  const call = (callGas * 64n) / 63n
  const spare = (call * sparePercent) / 100n + BigInt(legs) * firstWriteGas
  return roundUp(fixedGas(data) + call + spare)
}

/** What a transaction burns before it does anything. */
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
