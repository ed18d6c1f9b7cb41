import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import type { PlanAsk } from '../askPlans.js'
import type { ChainState } from '../ChainState.js'
import { callBatch } from '../rpc/callBatch.js'
import { balanceSlots } from './balanceSlots.js'

const timeoutMs = 1_500
/** What is put into a slot to see whether the token reports it: no balance that a contract really has. */
const trace = numberToHex(0x5c5c_5c5c_5c5cn, { size: 32 })

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
      const slot = await balanceSlot(state, tokenIn, signal)
      if (slot === undefined) return ask
      const stateDiff = { [slot]: numberToHex(amountIn, { size: 32 }) }
      return { ...ask, override: { [tokenIn]: { stateDiff } } }
    }),
  )
}

async function balanceSlot(
  state: ChainState,
  token: Address,
  signal: AbortSignal | undefined,
): Promise<Hex | undefined> {
  const known = state.balanceSlots.get(token)
  if (known !== undefined) return known ?? undefined
  const holder = state.chain.contracts.quoter
  const slots = balanceSlots(holder)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  const calls = slots.map((slot) => ({
    method: 'eth_call',
    params: [
      { to: token, data, gas: '0x186a0' },
      'latest',
      { [token]: { stateDiff: { [slot]: trace } } },
    ],
  }))
  const upstream = state.upstreams.find(
    ({ isExcluded, takesOverrides }) => !isExcluded && takesOverrides !== false,
  )
  if (!upstream) return undefined
  const outcomes = await callBatch(upstream, calls, { timeoutMs, signal })
  // A node that did not answer has said nothing about the token.
  if (outcomes.every((outcome) => !outcome.ok)) return undefined
  const index = outcomes.findIndex((outcome) => outcome.ok && outcome.result === trace)
  const slot = slots[index] ?? null
  state.balanceSlots.set(token, slot)
  return slot ?? undefined
}
