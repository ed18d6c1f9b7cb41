import { type Address, type Hex, numberToHex } from 'viem'
import type { PlanAsk } from '../askPlans.js'
import type { ChainState } from '../ChainState.js'
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
  signal?: AbortSignal | undefined,
): Promise<readonly PlanAsk[]> {
  return await Promise.all(
    asks.map(async (ask) => {
      const { amountIn, isExact, tokenIn } = ask.question
      if (!isExact) return ask
      const slot = await findBalanceSlot(state, tokenIn, { holder: ask.quoter, signal })
      if (slot === undefined) return ask
      const stateDiff = { [slot]: numberToHex(amountIn, { size: 32 }) }
      return { ...ask, override: { [tokenIn]: { stateDiff } } }
    }),
  )
}
