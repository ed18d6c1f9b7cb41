import { encodeAbiParameters, getAddress, type Hex, keccak256, pad, toEventSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { findFluidPools } from '../src/check/findFluidPools.js'
import { findInfinityPools } from '../src/check/findInfinityPools.js'
import type { Call, Rpc } from '../src/rpc.js'

const registry = getAddress('0x00000000000000000000000000000000000000f1')
const manager = getAddress('0x00000000000000000000000000000000000000f2')
const vault = getAddress('0x00000000000000000000000000000000000000f3')
const wrappedNative = getAddress('0x0000000000000000000000000000000000000005')
const low = getAddress('0x0000000000000000000000000000000000000001')
const high = getAddress('0x0000000000000000000000000000000000000009')
const options = { block: '0x64', count: 10, head: 100 } as const

/** A node that answers as it is told. */
function rpcOf(answer: (call: Call) => unknown): Rpc {
  return {
    request: async (method, params = []) => answer([method, params]) as never,
    batch: async (calls) => calls.map((call) => answer(call) as never),
  }
}

describe('findInfinityPools', () => {
  const announced = (id: string, token0: Hex, parameters: bigint) => ({
    topics: [
      toEventSelector('Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)'),
      pad(id as Hex),
      pad(token0),
      pad(high),
    ],
    data: encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint24' }, { type: 'bytes32' }],
      [low, 500, pad(`0x${parameters.toString(16)}`)],
    ),
  })
  const rpc = rpcOf(([method, params]) => {
    if (method === 'eth_getLogs')
      return [
        announced('0x01', low, 10n << 16n),
        announced('0x02', low, (10n << 16n) | (1n << 6n)),
        announced('0x03', '0x', (10n << 16n) | (1n << 2n)),
      ]
    const [{ to }] = params as [{ to: Hex }]
    return pad(to === registry ? manager : vault)
  })

  test('default: the newest first, of the native currency as well, without those that have hooks in swaps', async () => {
    const found = await findInfinityPools(rpc, { registry, wrappedNative }, options)
    expect(found).toEqual([
      { pair: [wrappedNative, high], pool: pad('0x03'), holder: vault },
      { pair: [low, high], pool: pad('0x01'), holder: vault },
    ])
  })
})

describe('findFluidPools', () => {
  const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
  const first = BigInt(keccak256(pad('0x01')))
  const slots = new Map<bigint, Hex>([
    [1n, pad('0x02')],
    [first, pad(low)],
    [first + 1n, pad(high)],
    [first + 3n, pad(high)],
    [first + 4n, pad(native)],
  ])
  const rpc = rpcOf(([, params]) => {
    const [{ data }] = params as [{ data: Hex }]
    return slots.get(BigInt(`0x${data.slice(10)}`)) ?? pad('0x')
  })

  test('default: the newest first, by their places, the native currency as the wrapped token', async () => {
    const found = await findFluidPools(rpc, { registry, wrappedNative }, options)
    expect(found).toEqual([
      { pair: [wrappedNative, high], pool: pad(`0x2${'0'.repeat(14)}`), holder: registry },
      { pair: [low, high], pool: pad(`0x1${'0'.repeat(14)}`), holder: registry },
    ])
  })

  test('behavior: no more than asked for', async () => {
    const found = await findFluidPools(rpc, { registry, wrappedNative }, { ...options, count: 1 })
    expect(found).toHaveLength(1)
  })
})
