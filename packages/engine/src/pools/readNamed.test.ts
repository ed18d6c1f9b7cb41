import { erc4626AdapterAbi } from '@sluice/abi'
import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  pad,
  toHex,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Candidate } from './Candidate.js'
import { readNamed } from './readNamed.js'

const abi = erc4626AdapterAbi
const [adapter, tokenA, tokenB] = [1, 3, 4].map((n) => pad(toHex(n), { size: 20 })) as [
  Address,
  Address,
  Address,
]
const idOf = (number: number): Hex => pad(toHex(number), { dir: 'right', size: 32 })
const keyOf = (id: Hex) => (BigInt(id) >> 56n) << 8n
const candidate = (number: number): Candidate => ({
  adapter,
  id: idOf(number),
  tokens: [tokenA, tokenB],
  most: [4_096_000, 8_192_000],
})

/** What a pool pays for a sale; zero if it refuses. The first argument tells whether it sells the first token. */
type Pays = (sellsFirst: boolean, amount: bigint) => bigint

/** Pools that the adapter finds without a hint. */
let listed: Hex[]
let pools: Map<bigint, Pays>
let codes: unknown[]

beforeEach(() => {
  ;[listed, pools, codes] = [[], new Map(), []]
})

/** A node on which the adapter knows `pools`. Their state is their key. */
async function ask(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
  return calls.map(({ params }) => {
    const [{ data, to }, , override] = params as [{ data: Hex; to: Address }, string, object?]
    codes.push(override?.[to as keyof object])
    const result = answerOf(data)
    return result === undefined
      ? ({ ok: false, failure: 'revert' } as RpcOutcome)
      : { ok: true, result }
  })
}

function answerOf(data: Hex): Hex | undefined {
  const { args, functionName } = decodeFunctionData({ abi, data })
  if (functionName === 'keysOf') {
    const hints = (args as readonly [Address, Address, readonly bigint[]])[2]
    const proposed = hints.map((hint) => keyOf(toHex(hint, { size: 32 })))
    const result = [...listed.map(keyOf), ...proposed.filter((key) => pools.has(key))]
    return encodeFunctionResult({ abi, functionName, result })
  }
  if (functionName === 'read')
    return encodeFunctionResult({ abi, functionName, result: [args![3] as bigint] })
  const [, , state, sellsFirst, amount] = args as readonly [
    number,
    Address,
    bigint[],
    boolean,
    bigint,
  ]
  const paid = pools.get(state[0]!)!(sellsFirst, amount)
  return encodeFunctionResult({ abi, functionName: 'quote', result: [paid, 0n] })
}

const know = (number: number, pays: Pays) => pools.set(keyOf(idOf(number)), pays)
const read = (...numbers: number[]) => readNamed(ask, numbers.map(candidate), undefined)

describe('readNamed', () => {
  test('default: what pools pay that their adapter finds only as hints', async () => {
    know(1, (sellsFirst, amount) => (sellsFirst ? 2n * amount : amount / 2n))
    expect(await read(1)).toEqual([
      { pool: idOf(1), tokens: [tokenA, tokenB], balances: [4_096_000, 8_192_000] },
    ])
  })

  test('behavior: a pool with little beside its price pays little, whatever its liquidity', async () => {
    know(1, (_, amount) => (amount > 2_000n ? 0n : amount))
    expect((await read(1))[0]!.balances).toEqual([2_000, 1_000])
  })

  test('behavior: a pool that takes one token alone has none of it', async () => {
    know(1, (sellsFirst, amount) => (sellsFirst ? amount : 0n))
    expect((await read(1))[0]!.balances).toEqual([0, 4_096_000])
  })

  test('behavior: leaves out pools that pay nothing, that the adapter does not know, and that it finds by itself', async () => {
    know(1, () => 0n)
    know(3, (_, amount) => amount)
    know(4, (_, amount) => amount)
    listed = [idOf(3)]
    expect((await read(1, 2, 3, 4)).map((held) => held?.pool)).toEqual([
      ...[undefined, undefined, undefined, idOf(4)],
    ])
  })

  test('behavior: brings the code of an adapter that is not deployed', async () => {
    know(1, (_, amount) => amount)
    await readNamed(ask, [candidate(1)], { [getAddress(adapter)]: { code: '0xfe' } })
    expect(new Set(codes.map((code) => JSON.stringify(code)))).toEqual(new Set(['{"code":"0xfe"}']))
  })

  test('error: the node does not answer', async () => {
    const silent = async (calls: readonly RpcCall[]) =>
      calls.map(() => ({ ok: false, failure: 'timeout' }) as RpcOutcome)
    await expect(readNamed(silent, [candidate(1)], undefined)).rejects.toThrow('did not answer')
  })
})
