import { erc4626AdapterAbi } from '@sluice/abi'
import { PoolHints, VenueKind } from '@sluice/domain'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import {
  adapterCall,
  type BroughtCode,
  decodedOr,
  encodeKeysOf,
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
const adapterKind = VenueKind.numberOf('adapter')
/** Parts of what a pool would hold that are sold to it, until it takes one. */
const soldParts = [1, 16, 256, 4_096] as const

type Found = { readonly pool: Candidate; readonly index: number; readonly key: bigint }
type Sale = {
  readonly found: Found
  readonly state: readonly bigint[]
  readonly zeroForOne: boolean
}

/**
 * Reads which pools their adapters find as hints and not without, and what they pay for large sales. Price and liquidity alone say
 * little of a pool: all it has can lie beside its price, within a narrow range or at once be taken out by its hooks.
 *
 * @param brought Code of adapters that are not deployed.
 * @returns In the order of the pools, with what each pays of its tokens as its balances; `undefined` for one that is not found
 * so, or pays nothing.
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
    found.map(({ key, pool: { adapter } }) => {
      const args = [adapterKind, adapter, adapter, key] as const
      return adapterCall(adapter, encodeFunctionData({ abi, functionName: 'read', args }), brought)
    }),
  )
  const sales = found.flatMap((each, place): readonly Sale[] => {
    const state = stateIn(states[place])
    if (state.length === 0) return []
    return [true, false].map((zeroForOne) => ({ found: each, state, zeroForOne }))
  })
  const paid = await payFor(ask, sales, brought)
  const balances = pools.map((): [number, number] => [0, 0])
  for (const { found: each, zeroForOne } of sales)
    balances[each.index]![zeroForOne ? 1 : 0] = paid.get(`${each.index} ${zeroForOne}`) ?? 0
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

/** What is paid for the largest part that is taken, by the pool's index and the direction. */
async function payFor(
  ask: AskNode,
  sales: readonly Sale[],
  brought: BroughtCode,
): Promise<ReadonlyMap<string, number>> {
  const paid = new Map<string, number>()
  let left = sales
  for (const part of soldParts) {
    const answers = await askAll(
      ask,
      left.map(({ found: { pool }, state, zeroForOne }) => {
        const amount = BigInt(Math.floor(pool.most[zeroForOne ? 0 : 1] / part))
        const args = [adapterKind, pool.adapter, state, zeroForOne, amount] as const
        const data = encodeFunctionData({ abi, functionName: 'quote', args })
        return adapterCall(pool.adapter, data, brought)
      }),
    )
    const refused: Sale[] = []
    for (const [place, sale] of left.entries()) {
      const amount = amountIn(answers[place])
      if (amount > 0) paid.set(`${sale.found.index} ${sale.zeroForOne}`, amount)
      else refused.push(sale)
    }
    left = refused
  }
  return paid
}

function amountIn(data: Hex | undefined): number {
  return decodedOr(0, data, (known) =>
    Number(decodeFunctionResult({ abi, functionName: 'quote', data: known })[0]),
  )
}
