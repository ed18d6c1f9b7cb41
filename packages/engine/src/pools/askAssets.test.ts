import { lensAbi } from '@sluice/abi'
import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  pad,
  zeroHash,
} from 'viem'
import { expect, test } from 'vitest'
import { askAssets } from './askAssets.js'

const [vault, asset, other] = [1, 2, 3].map((n) => pad(`0x${n}`, { size: 20 })) as [
  Address,
  Address,
  Address,
]

type Said = { ok?: boolean; size?: bigint; word: Hex }

/** A node whose tokens answer this. */
function nodeOf(said: ReadonlyMap<Address, Said>) {
  return async (calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> =>
    calls.map(({ params }) => {
      const { data } = (params as [{ data: Hex }])[0]
      const { args } = decodeFunctionData({ abi: lensAbi, data })
      const answers = (args[0] as readonly { target: Address }[]).map(({ target }) => {
        const { ok = true, size = 32n, word } = said.get(target) ?? { ok: false, word: zeroHash }
        return { ok, size, words: [word, zeroHash, zeroHash] as const }
      })
      const witness = { chainId: 0n, blockNumber: 0n, timestamp: 0n, parentHash: zeroHash }
      const result = encodeFunctionResult({
        abi: lensAbi,
        functionName: 'read',
        result: [witness, answers],
      })
      return { ok: true, result } as RpcOutcome
    })
}

test('default: returns the asset of a vault', async () => {
  const ask = nodeOf(new Map([[vault, { word: pad(asset) }]]))
  expect(await askAssets(ask, [vault, other])).toEqual(
    new Map([
      [vault, asset],
      [other, undefined],
    ]),
  )
})

test.each<[string, Said]>([
  ['reverts', { ok: false, word: pad(asset) }],
  ['answers nothing', { size: 0n, word: zeroHash }],
  ['answers too little', { size: 31n, word: pad(asset) }],
  ['answers too much', { size: 64n, word: pad(asset) }],
  ['names no token', { word: zeroHash }],
  ['names itself', { word: pad(vault) }],
  ['answers more than an address', { word: `0x01${pad(asset).slice(4)}` }],
])('behavior: a token that %s is no vault', async (_, said) => {
  expect(await askAssets(nodeOf(new Map([[vault, said]])), [vault])).toEqual(
    new Map([[vault, undefined]]),
  )
})

test('error: the node does not answer', async () => {
  const ask = async () => [{ ok: false, failure: 'timeout' } as RpcOutcome]
  await expect(askAssets(ask, [vault])).rejects.toThrow('did not answer')
})
