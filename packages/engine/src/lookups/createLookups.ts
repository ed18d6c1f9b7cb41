import type { Address, Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { askNodes } from '../logs/askNodes.js'

/** A transaction that was mined, as a node tells of it. */
export type FoundReceipt = {
  readonly isSuccess: boolean
  readonly blockNumber: bigint
  readonly from: Address
  readonly to: Address | null
  readonly logs: readonly {
    readonly address: Address
    readonly topics: readonly Hex[]
    readonly data: Hex
  }[]
  /** Calldata; absent if the node did not give it. */
  readonly input: Hex | undefined
}

/** What pages show and no quote depends on. Does not throw if nodes fail. */
export type Lookups = {
  /** `null` if the chain has no such transaction yet; `undefined` if no node answers. */
  readonly receipt: (chainId: number, hash: Hex) => Promise<FoundReceipt | null | undefined>
}

const patienceMs = 6_000

export function createLookups(states: ReadonlyMap<number, ChainState>): Lookups {
  return {
    async receipt(chainId, hash) {
      const state = states.get(chainId)
      if (state === undefined) return undefined
      let isMissing = false
      for (const ask of askNodes(state, AbortSignal.timeout(patienceMs))) {
        const [receipt, transaction] = await ask([
          { method: 'eth_getTransactionReceipt', params: [hash] },
          { method: 'eth_getTransactionByHash', params: [hash] },
        ])
        const input = transaction?.ok ? transaction.result : undefined
        const read = receipt?.ok ? readReceipt(receipt.result, input) : undefined
        if (read !== undefined) return read
        // A result of null is no response to the client, and here means that the node has no such receipt.
        if (receipt?.ok === false && receipt.failure === 'bad_response') isMissing = true
      }
      return isMissing ? null : undefined
    },
  }
}

type WireReceipt = {
  status?: unknown
  blockNumber?: unknown
  from?: unknown
  to?: unknown
  logs?: unknown
}
type WireLog = { address?: unknown; topics?: unknown; data?: unknown }

/** A receipt whose members have the right form; a node that gives anything else has told nothing. */
function readReceipt(answer: unknown, transaction: unknown): FoundReceipt | undefined {
  const { blockNumber, from, logs, status, to } = (answer ?? {}) as WireReceipt
  if (!isHex(blockNumber) || !isHex(from) || !isHex(status) || !Array.isArray(logs))
    return undefined
  const read = (logs as WireLog[]).filter(
    ({ address, data, topics }) =>
      isHex(address) && isHex(data) && Array.isArray(topics) && topics.every(isHex),
  )
  const input = (transaction as { input?: unknown } | null)?.input
  return {
    isSuccess: BigInt(status) === 1n,
    blockNumber: BigInt(blockNumber),
    from: from as Address,
    to: isHex(to) ? (to as Address) : null,
    logs: read as unknown as FoundReceipt['logs'],
    input: isHex(input) ? (input as Hex) : undefined,
  }
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
}
