import { type Hex, numberToHex } from 'viem'
import { RpcError } from '../errors.js'
import type { Rpc } from '../rpc.js'
import { type Override, trial } from './Bench.js'

/** Makes a call of the Trial. `undefined` if the node or the chain rejects it. */
export type Ask = (data: Hex, override: Override) => Promise<Hex | undefined>

/** Gas of a call, and what nodes that cap it at the maximum of a transaction (EIP-7825) still run. */
const gasLimits = [50_000_000n, 2n ** 24n] as const

/** Prepares calls at a block. Learns from a rejected call how much gas the node allows. */
export function createAsk(rpc: Rpc, block: Hex): Ask & { readonly gas: () => bigint } {
  let [limit] = gasLimits as readonly [bigint, bigint]
  const send = async (data: Hex, override: Override, gas: bigint) => {
    const params = [{ to: trial, data, gas: numberToHex(gas) }, block, override]
    return await rpc.request<Hex>('eth_call', params)
  }
  const ask: Ask = async (data, override) => {
    try {
      return await send(data, override, limit)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (!/gas/i.test(error.message) || limit === gasLimits[1]) return undefined
    }
    try {
      const answer = await send(data, override, gasLimits[1])
      limit = gasLimits[1]
      return answer
    } catch (error) {
      if (error instanceof RpcError) return undefined
      throw error
    }
  }
  return Object.assign(ask, { gas: () => limit })
}
