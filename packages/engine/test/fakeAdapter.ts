import { erc4626AdapterAbi } from '@sluice/abi'
import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import { decodeFunctionData, encodeFunctionResult, type Hex, toHex } from 'viem'
import type { AskNode } from '../src/logs/AskNode.js'

const abi = erc4626AdapterAbi

/** What a pool pays for a sale; zero if it refuses. The first argument tells whether it sells the first token. */
export type Pays = (sellsFirst: boolean, amount: bigint) => bigint

/** A node on which adapters find pools if these are proposed. The state of a pool is its key. */
export type FakeAdapter = {
  readonly ask: AskNode
  /** Makes a pool known. */
  readonly know: (id: Hex, pays: Pays) => void
  /** Number of questions since the last reset, by the function. */
  readonly counts: { keysOf: number; read: number; quote: number }
  /** Ids that adapters were asked for since the last reset, in their order. */
  readonly proposed: Hex[]
  readonly reset: () => void
}

export function createFakeAdapter(): FakeAdapter {
  const pools = new Map<bigint, Pays>()
  const counts = { keysOf: 0, read: 0, quote: 0 }
  const proposed: Hex[] = []

  function answerOf(data: Hex): Hex {
    const { args, functionName } = decodeFunctionData({ abi, data })
    if (functionName === 'keysOf') {
      counts.keysOf++
      const hints = args[2].map((hint) => toHex(hint, { size: 32 }))
      proposed.push(...hints)
      const result = hints.map(keyOf).filter((key) => pools.has(key))
      return encodeFunctionResult({ abi, functionName, result })
    }
    if (functionName === 'read') {
      counts.read++
      return encodeFunctionResult({ abi, functionName, result: [args[3]] })
    }
    if (functionName !== 'quote') throw new Error(`Nobody asks for ${functionName}.`)
    counts.quote++
    const [, , state, sellsFirst, amount] = args
    const paid = pools.get(state[0]!)!(sellsFirst, amount)
    return encodeFunctionResult({ abi, functionName, result: [paid, 0n] })
  }

  return {
    ask: async (calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> =>
      calls.map(({ params }) => {
        const [{ data }] = params as [{ data: Hex }]
        return { ok: true, result: answerOf(data) }
      }),
    know: (id, pays) => pools.set(keyOf(id), pays),
    counts,
    proposed,
    reset() {
      Object.assign(counts, { keysOf: 0, read: 0, quote: 0 })
      proposed.length = 0
    },
  }
}

function keyOf(id: Hex): bigint {
  return (BigInt(id) >> 56n) << 8n
}
