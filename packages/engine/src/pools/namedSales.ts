import { erc4626AdapterAbi } from '@sluice/abi'
import { PoolHints } from '@sluice/domain'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import {
  adapterCall,
  adapterKind,
  type BroughtCode,
  decodedOr,
  encodeKeysOf,
  encodeRead,
  keysIn,
  stateIn,
} from './adapterCalls.js'
import { askAll } from './askAll.js'
import type { Candidate } from './Candidate.js'
import type { Held } from './createReadings.js'

/** All adapters share these functions. */
const abi = erc4626AdapterAbi
/** No adapter takes more: pools count amounts in 128 bits with a sign. */
const maxAmount = 2 ** 127

/** A direction of a pool that an adapter finds only if it is proposed. */
export type Sale = {
  readonly pool: Candidate
  /** Place of the pool among the candidates. */
  readonly index: number
  /** The words that price the pool. */
  readonly state: readonly bigint[]
  readonly zeroForOne: boolean
}

/**
 * Returns both directions of those pools that their adapters find if they are proposed, and not without that.
 *
 * @param brought Code of adapters that are not deployed.
 * @throws if the node answers nothing.
 */
export async function findSales(
  ask: AskNode,
  pools: readonly Candidate[],
  brought: BroughtCode,
): Promise<readonly Sale[]> {
  const found = await findAmong(ask, pools, brought)
  const states = await askAll(
    ask,
    found.map(({ key, pool: { adapter } }) =>
      adapterCall(adapter, encodeRead(adapter, key), brought),
    ),
  )
  return found.flatMap(({ index, pool }, place): readonly Sale[] => {
    const state = stateIn(states[place])
    if (state.length === 0) return []
    return [true, false].map((zeroForOne) => ({ pool, index, state, zeroForOne }))
  })
}

async function findAmong(ask: AskNode, pools: readonly Candidate[], brought: BroughtCode) {
  const answers = await askAll(
    ask,
    pools.flatMap(({ adapter, id, tokens }) =>
      [[], [BigInt(id)]].map((hints) => adapterCall(adapter, encodeKeysOf(tokens, hints), brought)),
    ),
  )
  return pools.flatMap((pool, index) => {
    const [without, withHint] = answers
      .slice(2 * index, 2 * index + 2)
      .map((data) => keysIn(data).find((key) => PoolHints.isOfKey(pool.id, key)))
    return withHint === undefined || without !== undefined ? [] : [{ pool, index, key: withHint }]
  })
}

/** Returns what sales of these amounts pay, each alone; zero for one that the pool does not take. */
export async function askSales(
  ask: AskNode,
  sales: readonly { readonly sale: Sale; readonly amount: number }[],
  brought: BroughtCode,
): Promise<readonly number[]> {
  const answers = await askAll(
    ask,
    sales.map(({ amount, sale: { pool, state, zeroForOne } }) => {
      const sold = BigInt(Math.floor(Math.min(amount, maxAmount)))
      const args = [adapterKind, pool.adapter, state, zeroForOne, sold] as const
      const data = encodeFunctionData({ abi, functionName: 'quote', args })
      return adapterCall(pool.adapter, data, brought)
    }),
  )
  return answers.map((answer) =>
    decodedOr(0, answer, (data) =>
      Number(decodeFunctionResult({ abi, functionName: 'quote', data })[0]),
    ),
  )
}

/**
 * Returns what each pool pays of its tokens.
 *
 * @param paid In the order of the sales.
 * @returns In the order of the pools; `undefined` for one that pays nothing.
 */
export function heldBy(
  pools: readonly Candidate[],
  sales: readonly Sale[],
  paid: readonly number[],
): readonly (Held | undefined)[] {
  const balances = pools.map((): [number, number] => [0, 0])
  for (const [place, { index, zeroForOne }] of sales.entries())
    balances[index]![zeroForOne ? 1 : 0] = paid[place]!
  return pools.map(({ id, tokens }, index) =>
    balances[index]!.some((balance) => balance > 0)
      ? { pool: id, tokens, balances: balances[index]! }
      : undefined,
  )
}
