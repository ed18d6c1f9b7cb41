import { erc4626AdapterAbi } from '@sluice/abi'
import { PoolHints } from '@sluice/domain'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
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
import type { Held } from './createReadings.js'

/** A pool that an adapter may trade on if it is proposed. */
export type Candidate = {
  readonly adapter: Address
  readonly id: Hex
  /** In the order of their addresses, in lower case. */
  readonly tokens: readonly [Address, Address]
  /** How much of each token a pool of this price and liquidity would hold. */
  readonly most: readonly [number, number]
}

/** All adapters share these functions. */
const abi = erc4626AdapterAbi
/** Sales are tried from the largest to the smallest: what the pool would hold, divided by these. The first that the pool takes counts. */
const divisors = [1, 16, 256, 4_096] as const

/** A candidate that its adapter finds, with its place among all. */
type Found = { readonly pool: Candidate; readonly index: number; readonly key: bigint }
type Sale = {
  readonly found: Found
  readonly state: readonly bigint[]
  readonly zeroForOne: boolean
}

/**
 * Reads which pools their adapters find only if they are proposed, and what these pay for large sales. Price and liquidity say little
 * of a pool: next to nothing makes a large liquidity within a narrow range of prices.
 *
 * @param brought Code of adapters that are not deployed.
 * @returns In the order of the pools. Balances are what the pool pays of each token. `undefined` for a pool that the adapter does not
 * find, finds without a proposal, or that pays nothing.
 * @throws if the node answers nothing.
 */
export async function readNamed(
  ask: AskNode,
  pools: readonly Candidate[],
  brought: BroughtCode,
): Promise<readonly (Held | undefined)[]> {
  const found = await findAmong(ask, pools, brought)
  const states = await askAll(
    ask,
    found.map(({ key, pool: { adapter } }) =>
      adapterCall(adapter, encodeRead(adapter, key), brought),
    ),
  )
  const sales = found.flatMap((each, place): readonly Sale[] => {
    const state = stateIn(states[place])
    if (state.length === 0) return []
    return [true, false].map((zeroForOne) => ({ found: each, state, zeroForOne }))
  })
  const paid = await payFor(ask, sales, brought)
  const balances = pools.map((): [number, number] => [0, 0])
  for (const [place, { found: each, zeroForOne }] of sales.entries())
    balances[each.index]![zeroForOne ? 1 : 0] = paid[place]!
  return pools.map(({ id, tokens }, index) =>
    balances[index]!.some((balance) => balance > 0)
      ? { pool: id, tokens, balances: balances[index]! }
      : undefined,
  )
}

async function findAmong(
  ask: AskNode,
  pools: readonly Candidate[],
  brought: BroughtCode,
): Promise<readonly Found[]> {
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

/** What pools pay for the largest sales that they take, in the order of the sales; zero for one that takes none. */
async function payFor(
  ask: AskNode,
  sales: readonly Sale[],
  brought: BroughtCode,
): Promise<readonly number[]> {
  const paid = sales.map(() => 0)
  for (const divisor of divisors) {
    const places = [...sales.keys()].filter((place) => paid[place] === 0)
    const answers = await askAll(
      ask,
      places.map((place) => {
        const { found, state, zeroForOne } = sales[place]!
        const { adapter, most } = found.pool
        const amount = BigInt(Math.floor(most[zeroForOne ? 0 : 1] / divisor))
        const args = [adapterKind, adapter, state, zeroForOne, amount] as const
        return adapterCall(
          adapter,
          encodeFunctionData({ abi, functionName: 'quote', args }),
          brought,
        )
      }),
    )
    for (const [index, place] of places.entries()) paid[place] = amountIn(answers[index])
  }
  return paid
}

function amountIn(data: Hex | undefined): number {
  return decodedOr(0, data, (known) =>
    Number(decodeFunctionResult({ abi, functionName: 'quote', data: known })[0]),
  )
}
