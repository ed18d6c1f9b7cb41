import { erc4626AdapterAbi } from '@sluice/abi'
import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  pad,
  toHex,
  zeroAddress,
} from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { createNamedPools, type NamedPools } from './createNamedPools.js'
import type { Depth } from './readDepths.js'

const abi = erc4626AdapterAbi
const addressOf = (number: number): Address => pad(toHex(number), { size: 20 })
const [adapter, manager, token, wrapped] = [1, 2, 3, 4].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
]
const id = pad('0xab', { dir: 'right', size: 32 })
const key = (BigInt(id) >> 56n) << 8n
const venue = { adapter, registry: addressOf(5), manager }

let named: NamedPools
/** Tokens of each question for keys. */
let asked: Address[][]

beforeEach(() => {
  asked = []
  named = createNamedPools({ brought: undefined, now: () => 0, wrappedNative: wrapped })
})

/** A node on which the adapter knows the pool as a hint. It pays all it sells, once over for the first token, and twice for the second. */
async function ask(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
  return calls.map(({ params }) => {
    const { data } = (params as [{ data: Hex }])[0]
    return { ok: true, result: answerOf(data) }
  })
}

function answerOf(data: Hex): Hex {
  const { args, functionName } = decodeFunctionData({ abi, data })
  if (functionName === 'keysOf') {
    const [tokenA, tokenB, hints] = args as readonly [Address, Address, readonly bigint[]]
    asked.push([tokenA, tokenB])
    return encodeFunctionResult({ abi, functionName, result: hints.length > 0 ? [key] : [] })
  }
  if (functionName === 'read') return encodeFunctionResult({ abi, functionName, result: [key] })
  const [, , , sellsFirst, amount] = args as readonly [number, Address, bigint[], boolean, bigint]
  const result = [sellsFirst ? amount : 2n * amount, 0n] as const
  return encodeFunctionResult({ abi, functionName: 'quote', result })
}

const depthOf = (more: Partial<Depth> = {}): Depth => ({
  ...{ token0: token, token1: wrapped, reserve0: 1e6, reserve1: 1e6, most0: 5_000, most1: 700 },
  ...{ afterFee: 1, named: { id, manager }, ...more },
})
const refresh = (depths: readonly Depth[]) =>
  named.refresh(ask, { attested: [venue], depths, valued: [wrapped] })

test('default: what a pool pays of each token', async () => {
  expect(await refresh([depthOf()])).toBe(true)
  const found = [{ pool: id, tokens: [token, wrapped], balances: [1_400, 5_000] }]
  expect([named.holding(token), named.holding(wrapped)]).toEqual([found, found])
})

test('behavior: the native currency counts as its wrapped token, in the order of the addresses', async () => {
  await refresh([depthOf({ token0: zeroAddress, token1: token })])
  expect(asked[0]).toEqual([token, wrapped])
  // The pool's first token is the second one by its address.
  const found = { pool: id, tokens: [token, wrapped], balances: [10_000, 700] }
  expect(named.holding(wrapped)).toEqual([found])
})

test('behavior: asks nothing of pools without an id, or of another contract than the adapters have', async () => {
  const other = { id, manager: addressOf(9) }
  expect(await refresh([depthOf({ named: undefined }), depthOf({ named: other })])).toBe(false)
  expect(asked).toEqual([])
})

test('behavior: forgets pools that are empty by now', async () => {
  await refresh([depthOf()])
  expect(await refresh([])).toBe(false)
  expect(named.holding(token)).toEqual([])
})
