import { erc4626AdapterAbi } from '@sluice/abi'
import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import fc from 'fast-check'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { type Conversion, conversionOf } from './Conversion.js'
import { readConversions } from './readConversions.js'

const abi = [...erc4626AdapterAbi, ...erc20Abi] as const
const [adapter, asset, vault] = [1, 2, 3].map((n) => pad(`0x${n}`, { size: 20 })) as [
  Address,
  Address,
  Address,
]
const ofVault = conversionOf({ adapter, pool: vault, isListed: false }, [vault, asset])
const key = BigInt(vault) << 8n
const ether = 10n ** 18n
const keysOf = (keys: readonly bigint[]) =>
  encodeFunctionResult({ abi: erc4626AdapterAbi, functionName: 'keysOf', result: keys })
/** A share is worth 1.25 of the asset. Up to 1,000 are deposited, and up to 400 shares redeemed. */
const state = [key, 1_000n * ether, 800n * ether, 400n * ether, 500n * ether]
const stateOf = (words: readonly bigint[]) =>
  encodeFunctionResult({ abi: erc4626AdapterAbi, functionName: 'read', result: words })

const honest = {
  keysOf: keysOf([key]),
  read: stateOf(state),
  balanceOf: numberToHex(600n * ether, { size: 32 }),
}
type Said = { readonly [name in keyof typeof honest]: Hex | RpcOutcome }

/** A node on which the contracts say this. */
function nodeOf(said: Said) {
  return async (calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> =>
    calls.map(({ params }) => {
      const { data } = (params as [{ data: Hex }])[0]
      const { functionName } = decodeFunctionData({ abi, data })
      const result = said[functionName as keyof Said]
      return typeof result === 'string' ? { ok: true, result } : result
    })
}
const read = (said: Partial<Said>, conversions: readonly Conversion[] = [ofVault]) =>
  readConversions(nodeOf({ ...honest, ...said }), conversions, undefined)
const reverted: RpcOutcome = { ok: false, failure: 'revert' } as RpcOutcome

describe('a vault', () => {
  test('default: its price, its limits, and what it holds of its asset', async () => {
    const [found] = await read({})
    expect(found).toMatchObject({ pool: vault, tokens: [asset, vault], balances: [6e20, 8e20] })
    const { afterFee, most0, most1, reserve0, reserve1 } = found!.depth
    expect([most0, most1, afterFee]).toEqual([5e20, 8e20, 1])
    expect(reserve1 / reserve0).toBeCloseTo(0.8, 12)
  })

  test('behavior: what both directions lose is a fee, and not a price', async () => {
    // One for 0.99, there and back.
    const words = [key, 100n * ether, 99n * ether, 100n * ether, 99n * ether]
    const [found] = await read({ read: stateOf(words) })
    expect(found!.depth.afterFee).toBeCloseTo(0.99, 12)
    expect(found!.depth.reserve1).toBeCloseTo(found!.depth.reserve0, 5)
  })

  test('behavior: one that takes deposits alone pays nothing back', async () => {
    const [found] = await read({ read: stateOf([key, 1_000n * ether, 800n * ether, 0n, 0n]) })
    expect([found!.depth.most0, found!.depth.most1]).toEqual([0, 8e20])
  })

  test.each<[string, Partial<Said>]>([
    ['that its adapter does not vouch for', { keysOf: keysOf([]) }],
    ['whose adapter names another', { keysOf: keysOf([BigInt(asset) << 8n]) }],
    ['whose adapter fails', { keysOf: reverted }],
    ['that exchanges nothing', { read: stateOf([]) }],
    ['whose state fails', { read: reverted }],
    ['whose state is of another kind', { read: stateOf(state.slice(1)) }],
    ['that pays nothing for something', { read: stateOf([key, ether, 0n, ether, 0n]) }],
  ])('behavior: one %s is left out', async (_, said) => {
    expect(await read(said)).toEqual([undefined])
  })
})

test('behavior: the others keep their places', async () => {
  const stranger = pad('0x9', { size: 20 })
  const unknown = conversionOf({ adapter, pool: stranger, isListed: false }, [stranger, asset])
  const [first, second] = await read({}, [unknown, ofVault])
  expect([first, second?.pool]).toEqual([undefined, vault])
})

test('error: the node does not answer', async () => {
  const silent = { ok: false, failure: 'timeout' } as RpcOutcome
  await expect(read({ keysOf: silent })).rejects.toThrow('did not answer')
})

test('property: whatever a node answers, depths are finite, and none is below zero', async () => {
  const most = numberToHex(2n ** 256n - 1n, { size: 32 })
  const words = fc.uint8Array({ maxLength: 400 }).map((bytes) => toHex(bytes))
  const answer = fc.oneof(
    words,
    fc.string().map((text) => text as Hex),
    fc.constantFrom<Hex | RpcOutcome>(
      honest.keysOf,
      honest.read,
      honest.balanceOf,
      stateOf([key, 2n ** 256n - 1n, 1n, 1n, 2n ** 256n - 1n]),
      most,
      '0x',
      reverted,
    ),
  )
  await fc.assert(
    fc.asyncProperty(answer, answer, answer, async (first, second, third) => {
      const said = { keysOf: first, read: second, balanceOf: third }
      const [found] = await readConversions(nodeOf(said), [ofVault], undefined)
      if (found === undefined) return
      const { token0, token1, ...numbers } = found.depth
      expect([token0, token1]).toEqual([asset, vault])
      for (const number of [...Object.values(numbers), ...found.balances]) {
        expect(Number.isFinite(number), `${number}`).toBe(true)
        expect(number).toBeGreaterThanOrEqual(0)
      }
    }),
    { numRuns: 500 },
  )
})
