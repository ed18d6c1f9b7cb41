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
  zeroAddress,
} from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { createNamedPools, type NamedPools } from './createNamedPools.js'
import type { Depth } from './readDepths.js'

const abi = erc4626AdapterAbi
const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const [adapter, manager, wrapped, token] = [1, 2, 3, 4].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
]
const idOf = (number: number): Hex => pad(toHex(number), { dir: 'right', size: 32 })
const keyOf = (id: Hex) => (BigInt(id) >> 56n) << 8n
const venue = { adapter, registry: addressOf(5), manager }

let named: NamedPools
/** Ids that the adapter finds without a hint, and others that it knows. */
let [listed, known]: [Hex[], Hex[]] = [[], []]
let asked: { tokens: readonly Address[]; code: unknown }[]
let isDown: boolean

beforeEach(() => {
  ;[listed, known, asked, isDown] = [[], [], [], false]
  const brought = { [getAddress(adapter)]: { code: '0xfe' } } as const
  named = createNamedPools({ brought, now: () => 0, wrappedNative: wrapped })
})

async function ask(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
  return calls.map(({ params }) => {
    if (isDown) return { ok: false, failure: 'timeout' } as RpcOutcome
    const [{ data, to }, , override] = params as [{ data: Hex; to: Address }, string, object?]
    const { args } = decodeFunctionData({ abi, data })
    const [tokenA, tokenB, hints] = args as readonly [Address, Address, readonly bigint[]]
    asked.push({ tokens: [tokenA, tokenB], code: override?.[to as keyof object] })
    const proposed = known.filter((id) => hints.includes(BigInt(id)))
    const result = encodeFunctionResult({
      abi,
      functionName: 'keysOf',
      result: [...listed, ...proposed].map(keyOf),
    })
    return { ok: true, result }
  })
}

const depthOf = (number: number, more: Partial<Depth> = {}): Depth => ({
  ...{ token0: wrapped, token1: token, reserve0: 100, reserve1: 200, most0: 5, most1: 10 },
  ...{ afterFee: 1, named: { id: idOf(number), manager }, ...more },
})
const refresh = (depths: readonly Depth[], attested = [venue]) =>
  named.refresh(ask, { attested, depths, valued: [wrapped] })

test('default: pools that their adapter finds only as hints', async () => {
  ;[listed, known] = [[idOf(1)], [idOf(2)]]
  expect(await refresh([1, 2, 3].map((number) => depthOf(number)))).toBe(true)
  const found = [{ pool: idOf(2), tokens: [wrapped, token], balances: [5, 10] }]
  expect([named.holding(token), named.holding(wrapped)]).toEqual([found, found])
  expect(asked[0]).toMatchObject({ tokens: [wrapped, token], code: { code: '0xfe' } })
})

test('behavior: the native currency counts as its wrapped token', async () => {
  known = [idOf(2)]
  await refresh([depthOf(2, { token0: zeroAddress })])
  expect(asked[0]!.tokens).toEqual([wrapped, token])
  expect(named.holding(wrapped).map(({ pool }) => pool)).toEqual([idOf(2)])
})

test('behavior: asks nothing of pools without an id, or of another contract than the adapters have', async () => {
  const other = { id: idOf(2), manager: addressOf(9) }
  expect(await refresh([depthOf(1, { named: undefined }), depthOf(2, { named: other })])).toBe(
    false,
  )
  expect(asked).toEqual([])
})

test('behavior: forgets pools that are empty by now', async () => {
  known = [idOf(2)]
  await refresh([depthOf(2)])
  expect(await refresh([])).toBe(false)
  expect(named.holding(token)).toEqual([])
})

test('error: the node does not answer', async () => {
  isDown = true
  await expect(refresh([depthOf(2)])).rejects.toThrow('did not answer')
})
