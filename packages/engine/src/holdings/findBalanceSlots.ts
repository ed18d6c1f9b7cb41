import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { type PinnedCall, type PinnedResult, readPinned } from '../quotes/readPinned.js'
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

/** Whose balance of which token. */
export type Holding = { readonly token: Address; readonly holder: Address }

/**
 * The storage slots of holders' balances, found once for each token; `undefined` if none is found, or no node takes
 * overrides.
 *
 * One call for each token puts another number into each slot that a known layout would use, and the token's answer tells
 * which one it reads. A second call with that slot alone must agree, since a number in another place can change what a
 * token says. All first calls go in one request, and all second ones.
 *
 * @returns In the order of the holdings.
 */
export async function findBalanceSlots(
  state: ChainState,
  holdings: readonly (Holding | undefined)[],
  options: findBalanceSlots.Options,
): Promise<readonly (Hex | undefined)[]> {
  const unknown = new Map<Address, Holding>()
  for (const each of holdings)
    if (each !== undefined && !isKnown(state, each.token)) unknown.set(each.token, each)
  const found = await lookFor(state, [...unknown.values()], options)
  return holdings.map((each) => {
    if (each === undefined) return undefined
    const place = found.get(each.token) ?? state.balanceLayouts.get(each.token)?.slot
    return place === undefined ? undefined : balanceSlots(each.holder)[place]
  })
}

export declare namespace findBalanceSlots {
  type Options = Omit<readPinned.Options, 'needsOverrides'> & {
    /** Without the second call, and remembered by nobody: whoever uses the slot checks it. @default false */
    isUnchecked?: boolean | undefined
  }
}

function isKnown({ balanceLayouts }: ChainState, token: Address): boolean {
  const known = balanceLayouts.get(token)
  return known !== undefined && (known.slot !== undefined || performance.now() < known.until)
}

/** Places in `balanceSlots`, by token. */
async function lookFor(
  state: ChainState,
  holdings: readonly Holding[],
  options: findBalanceSlots.Options,
): Promise<ReadonlyMap<Address, number>> {
  const endsAt = performance.now() + options.budgetMs
  const read = async (asks: readonly Ask[]) => {
    if (asks.length === 0) return []
    return await readBalances(state, asks, { ...options, budgetMs: endsAt - performance.now() })
  }
  const remember = (token: Address, slot: number | undefined, forMs = forgetAfterMs) =>
    state.balanceLayouts.put(token, { slot, until: performance.now() + forMs })
  const told = await read(holdings.map(traced))
  // Who did not answer has said nothing about the tokens.
  if (told === undefined) return new Map()
  const seen = holdings.flatMap((holding, index) => {
    const place = placeOf(holding, told[index])
    const forMs = told[index] === undefined ? forgetSoonMs : forgetAfterMs
    if (place === undefined) remember(holding.token, undefined, forMs)
    return place === undefined ? [] : [{ holding, place }]
  })
  const again = options.isUnchecked ? undefined : await read(seen.map(marked))
  if (!options.isUnchecked && again === undefined) return new Map()
  const agreed = seen.filter(({ place }, index) => !again || again[index] === traceOf(place))
  if (again !== undefined)
    for (const each of seen)
      remember(each.holding.token, agreed.includes(each) ? each.place : undefined)
  return new Map(agreed.map(({ holding, place }) => [holding.token, place]))
}

type Ask = Holding & { readonly numbers: Readonly<Record<Hex, bigint>> }

/** Another number in each slot that a known layout would use. */
function traced({ holder, token }: Holding): Ask {
  const numbers = balanceSlots(holder).map((slot, place): [Hex, bigint] => [slot, traceOf(place)])
  return { token, holder, numbers: Object.fromEntries(numbers) }
}

/** The number in the slot where it was seen, and in no other. */
function marked({ holding, place }: { holding: Holding; place: number }): Ask {
  return { ...holding, numbers: { [balanceSlots(holding.holder)[place]!]: traceOf(place) } }
}

function traceOf(place: number): bigint {
  return traces + BigInt(place)
}

/** Which of the numbers a token has told, if it is one of them. */
function placeOf({ holder }: Holding, balance = 0n): number | undefined {
  const place = balanceSlots(holder).findIndex((_, index) => traceOf(index) === balance)
  return place === -1 ? undefined : place
}

/** What tokens say that holders have, if the slots hold these numbers; `undefined` if no node tells. */
async function readBalances(
  state: ChainState,
  asks: readonly Ask[],
  options: findBalanceSlots.Options,
): Promise<readonly (bigint | undefined)[] | undefined> {
  const calls = asks.map(({ holder, numbers, token }) => balanceCall(token, holder, numbers))
  const read = await readPinned(state, calls, { ...options, needsOverrides: true })
  return read.ok ? read.results.map(balanceOf) : undefined
}

/** Asks a token what a holder has, if slots of its hold these numbers. */
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
