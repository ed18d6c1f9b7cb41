import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { type PinnedCall, type PinnedResult, readPinned } from '../readPinned.js'
import { balanceSlots } from './balanceSlots.js'

/** Enough for a read of a balance, whatever stands before the token. */
const gas = 100_000n
/** What is put into slots to see which of them the token reports: no balance that a contract really has. */
const traces = 0x5c5c_5c5c_5c5c_0000n
/**
 * How long it is remembered that no place was found: whoever answered may have been wrong, and most likely was if the
 * token told no number at all.
 */
const [forgetAfterMs, forgetSoonMs] = [600_000, 10_000]

/**
 * The storage slot of a holder's balance, found once for each token; `undefined` where none is found, or no node takes
 * overrides.
 *
 * One call puts another number into each slot that a known layout would use, and the token's answer tells which one it
 * reads. A second call with that slot alone must agree, since a number in another place can change what a token says.
 */
export async function findBalanceSlot(
  state: ChainState,
  token: Address,
  options: findBalanceSlot.Options,
): Promise<Hex | undefined> {
  const { holder } = options
  const slots = balanceSlots(holder)
  const known = state.balanceLayouts.get(token)
  if (known !== undefined && (known.slot !== undefined || performance.now() < known.until))
    return known.slot === undefined ? undefined : slots[known.slot]
  const endsAt = performance.now() + options.budgetMs
  const read = async (numbers: Readonly<Record<Hex, bigint>>) => {
    const budgetMs = endsAt - performance.now()
    return await readBalance(state, token, numbers, { ...options, budgetMs })
  }
  const traced = slots.map((slot, place): [Hex, bigint] => [slot, traces + BigInt(place)])
  const told = await read(Object.fromEntries(traced))
  // Who did not answer has said nothing about the token.
  if (told === undefined) return undefined
  const place = traced.findIndex(([, trace]) => trace === told.balance)
  if (options.isUnchecked && place !== -1) return slots[place]
  const again = place === -1 ? told : await read(Object.fromEntries([traced[place]!]))
  if (again === undefined) return undefined
  const slot = place !== -1 && again.balance === told.balance ? place : undefined
  const forMs = told.balance === undefined ? forgetSoonMs : forgetAfterMs
  state.balanceLayouts.put(token, { slot, until: performance.now() + forMs })
  return slot === undefined ? undefined : slots[slot]
}

export declare namespace findBalanceSlot {
  type Options = Omit<readPinned.Options, 'needsOverrides'> & {
    holder: Address
    /** Without the second call, and remembered by nobody: whoever uses the slot checks it. @default false */
    isUnchecked?: boolean | undefined
  }
}

/** What the token says that the holder has, where the slots hold these numbers; `undefined` where no node tells. */
async function readBalance(
  state: ChainState,
  token: Address,
  numbers: Readonly<Record<Hex, bigint>>,
  { holder, ...options }: findBalanceSlot.Options,
): Promise<{ balance: bigint | undefined } | undefined> {
  const call = balanceCall(token, holder, numbers)
  const read = await readPinned(state, [call], { ...options, needsOverrides: true })
  return read.ok ? { balance: balanceOf(read.results[0]) } : undefined
}

/** Asks a token what a holder has, where slots of its hold these numbers. */
export function balanceCall(
  token: Address,
  holder: Address,
  numbers: Readonly<Record<Hex, bigint>>,
): PinnedCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  const words = Object.entries(numbers).map(([slot, number]) => [
    slot,
    numberToHex(number, { size: 32 }),
  ])
  return { to: token, data, gas, override: { [token]: { stateDiff: Object.fromEntries(words) } } }
}

/** The answer, if it is one number. */
export function balanceOf(result: PinnedResult | undefined): bigint | undefined {
  return result?.ok && result.data.length === 66 ? BigInt(result.data) : undefined
}
