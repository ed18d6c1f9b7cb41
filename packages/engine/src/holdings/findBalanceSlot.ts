import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { callBatch } from '../rpc/callBatch.js'
import { balanceSlots } from './balanceSlots.js'

const timeoutMs = 1_500
/** What is put into a slot to see whether the token reports it: no balance that a contract really has. */
const trace = numberToHex(0x5c5c_5c5c_5c5cn, { size: 32 })

/**
 * The storage slot of a holder's balance. It is found by trying layouts, once for each token; `undefined` where none is
 * found, or no node takes overrides.
 */
export async function findBalanceSlot(
  state: ChainState,
  token: Address,
  { holder, signal }: { holder: Address; signal?: AbortSignal | undefined },
): Promise<Hex | undefined> {
  const slots = balanceSlots(holder)
  const known = state.balanceLayouts.get(token)
  if (known !== undefined) return known === null ? undefined : slots[known]
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
  state.balanceLayouts.set(token, index === -1 ? null : index)
  return slots[index]
}
