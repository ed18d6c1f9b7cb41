import { PlanCall } from '@sluice/domain'
import { numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { PlanAsk } from '../quotes/PlanAnswer.js'
import type { readPinned } from '../quotes/readPinned.js'
import { findBalanceSlots } from './findBalanceSlots.js'

/**
 * Gives the Quoter the input of each dry run through a state override. Without it the Quoter borrows the input from a
 * pool outside of the route, which may not exist.
 *
 * Finds the balance slot by trial, once for each token. If it finds none, or the node takes no overrides, the Quoter
 * borrows what it can.
 */
export async function fundDryRuns(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: Omit<readPinned.Options, 'needsOverrides'>,
): Promise<readonly PlanAsk[]> {
  const wanted = asks.map(({ question: { isExact, tokenIn }, quoter }) =>
    isExact ? { token: tokenIn, holder: quoter } : undefined,
  )
  const slots = await findBalanceSlots(state, wanted, options)
  return asks.map((ask, index) => {
    const slot = slots[index]
    if (slot === undefined) return ask
    const held = PlanCall.heldInput(ask.question)
    const stateDiff = { [slot]: numberToHex(held, { size: 32 }) }
    return { ...ask, override: { [ask.question.tokenIn]: { stateDiff } } }
  })
}
