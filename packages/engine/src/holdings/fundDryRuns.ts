import { type Address, type Hex, numberToHex } from 'viem'
import type { PlanAsk } from '../askPlans.js'
import type { ChainState } from '../ChainState.js'
import type { readPinned } from '../readPinned.js'
import { findBalanceSlot } from './findBalanceSlot.js'

/** Storage that a call finds instead of the chain's, by contract and slot. */
export type StateOverride = Readonly<Record<Address, { stateDiff: Readonly<Record<Hex, Hex>> }>>

/**
 * Gives the Quoter the input of each dry run, for the length of the call: where the pools of the route are the only ones
 * of a token, none is left to lend it.
 *
 * The slot of the balance is found by trying, once for each token. Where none is found, or the node takes no overrides,
 * the Quoter borrows what it can.
 */
export async function fundDryRuns(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: Omit<readPinned.Options, 'needsOverrides'>,
): Promise<readonly PlanAsk[]> {
  // Several ways of one trade sell the same token.
  const slots = new Map<string, ReturnType<typeof findBalanceSlot>>()
  const find = (token: Address, holder: Address) => {
    const key = `${token} ${holder}`
    const found = slots.get(key) ?? findBalanceSlot(state, token, { ...options, holder })
    slots.set(key, found)
    return found
  }
  return await Promise.all(
    asks.map(async (ask) => {
      const { amountIn, isExact, tokenIn } = ask.question
      if (!isExact) return ask
      const slot = await find(tokenIn, ask.quoter)
      if (slot === undefined) return ask
      const stateDiff = { [slot]: numberToHex(amountIn, { size: 32 }) }
      return { ...ask, override: { [tokenIn]: { stateDiff } } }
    }),
  )
}
