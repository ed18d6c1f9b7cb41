import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { type PinnedCall, type PinnedResult, readPinned } from '../quotes/readPinned.js'
import { balanceSlots } from './balanceSlots.js'

/** Gas limit of a balance read: enough even if the token is behind proxies. */
const gas = 100_000n
/**
 * Base of the numbers written to candidate slots to see which one the token reports. No contract has such a balance.
 */
const traces = 0x5c5c_5c5c_5c5c_0000n
/**
 * How long a failed search is remembered, in milliseconds: the node may have been wrong. Shorter if the token returned
 * no number at all, since the node most likely was.
 */
const [forgetAfterMs, forgetSoonMs] = [600_000, 10_000]

/** A holder's balance of a token. */
export type Holding = { readonly token: Address; readonly holder: Address }

/**
 * Finds the storage slots of holders' balances, once for each token. A slot is `undefined` if none was found or no node
 * takes overrides.
 *
 * One call for each token writes a different number to the slot of every known layout; the token's answer shows which
 * slot it reads. A second call with that slot alone must agree, since a number in another slot can change what a token
 * reports. All first calls go in one request, and all second calls in another.
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
    /** Skips the second call and remembers nothing: the caller checks the slot. @default false */
    isUnchecked?: boolean | undefined
  }
}

function isKnown({ balanceLayouts }: ChainState, token: Address): boolean {
  const known = balanceLayouts.get(token)
  return known !== undefined && (known.slot !== undefined || performance.now() < known.until)
}

/** Indexes into `balanceSlots`, by token. */
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
  // A node that did not answer says nothing about the tokens.
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

/** A different number in the slot of every known layout. */
function traced({ holder, token }: Holding): Ask {
  const numbers = balanceSlots(holder).map((slot, place): [Hex, bigint] => [slot, traceOf(place)])
  return { token, holder, numbers: Object.fromEntries(numbers) }
}

/** The same number in that slot alone. */
function marked({ holding, place }: { holding: Holding; place: number }): Ask {
  return { ...holding, numbers: { [balanceSlots(holding.holder)[place]!]: traceOf(place) } }
}

function traceOf(place: number): bigint {
  return traces + BigInt(place)
}

/** The slot whose number the token reported; `undefined` if it reported another number. */
function placeOf({ holder }: Holding, balance = 0n): number | undefined {
  const place = balanceSlots(holder).findIndex((_, index) => traceOf(index) === balance)
  return place === -1 ? undefined : place
}

/** Reads balances with the slots set to these numbers; `undefined` if no node answers. */
async function readBalances(
  state: ChainState,
  asks: readonly Ask[],
  options: findBalanceSlots.Options,
): Promise<readonly (bigint | undefined)[] | undefined> {
  const calls = asks.map(({ holder, numbers, token }) => balanceCall(token, holder, numbers))
  const read = await readPinned(state, calls, { ...options, needsOverrides: true })
  return read.ok ? read.results.map(balanceOf) : undefined
}

/** Returns the call that reads a holder's balance with these slots set. */
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

/** Returns the balance, if the answer is exactly one word. */
export function balanceOf(result: PinnedResult | undefined): bigint | undefined {
  return result?.ok && result.data.length === 66 ? BigInt(result.data) : undefined
}
