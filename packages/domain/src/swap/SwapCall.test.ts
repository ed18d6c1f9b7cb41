import { routerAbi, routerV2Abi } from '@sluice/abi'
import fc from 'fast-check'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import * as SwapCall from './SwapCall.js'

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const edge = fc.constantFrom(0n, 1n, 2n ** 96n, 2n ** 128n, 2n ** 255n, 2n ** 256n - 1n)
const number = fc.oneof(word, edge)
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString('hex')}`)
/** With or without a checksum, because the domain passes on both. */
const written = fc.tuple(address, fc.boolean()).map(([text, isMixed]) => {
  return isMixed ? getAddress(text) : text
})
const leg = fc.record({
  venue: fc.integer({ min: 0, max: 65_535 }),
  pool: written,
  tokenIn: written,
  tokenOut: written,
  key: number,
  share: number,
})
const parameters = fc.record({
  route: fc.record({
    tokenIn: written,
    tokenOut: written,
    amountIn: number,
    grossOut: number,
    impactBps: number,
    legs: fc.array(leg, { maxLength: 12 }),
  }),
  minOut: number,
  recipient: written,
  deadline: number,
})

function byViem({ deadline, minOut, recipient, route }: SwapCall.encode.Parameters): Hex {
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'swapExactIn',
    args: [route, route.amountIn, minOut, recipient, deadline],
  })
}

describe('SwapCall.encode', () => {
  test("property: equals viem's encoding", () => {
    fc.assert(
      fc.property(parameters, (given) => {
        expect(SwapCall.encode(given)).toBe(byViem(given))
      }),
      { numRuns: 2_000, seed: 11 },
    )
  })

  test("property: equals viem's encoding of the functions for native coin in 2.0.0", () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const { deadline, minOut, recipient, route } = given
        const paid = encodeFunctionData({
          abi: routerV2Abi,
          functionName: 'swapExactInNative',
          args: [route, minOut, recipient, deadline],
        })
        expect(SwapCall.encode({ ...given, way: 'nativeIn' })).toBe(paid)
        const received = encodeFunctionData({
          abi: routerV2Abi,
          functionName: 'swapExactInForNative',
          args: [route, route.amountIn, minOut, recipient, deadline],
        })
        expect(SwapCall.encode({ ...given, way: 'nativeOut' })).toBe(received)
      }),
      { numRuns: 500, seed: 12 },
    )
  })

  test("property: equals viem's encoding of a swap that pays an integrator", () => {
    fc.assert(
      fc.property(
        parameters,
        written,
        fc.integer({ min: 1, max: 100 }),
        (given, integrator, bps) => {
          for (const way of ['allowance', 'nativeIn', 'nativeOut'] as const) {
            const swap = SwapCall.encode({ ...given, way })
            const paid = encodeFunctionData({
              abi: routerV2Abi,
              functionName: 'swapWithIntegratorFee',
              args: [integrator, BigInt(bps), swap],
            })
            const integratorFee = { integrator, bps }
            expect(SwapCall.encode({ ...given, way, integratorFee })).toBe(paid)
          }
        },
      ),
      { numRuns: 300, seed: 13 },
    )
  })

  test('behavior: every parameter changes the calldata', () => {
    const given: SwapCall.encode.Parameters = {
      route: {
        tokenIn: `0x${'a1'.repeat(20)}`,
        tokenOut: `0x${'a2'.repeat(20)}`,
        amountIn: 1n,
        grossOut: 2n,
        impactBps: 3n,
        legs: [],
      },
      minOut: 4n,
      recipient: `0x${'a3'.repeat(20)}`,
      deadline: 5n,
    }
    const changes: Partial<SwapCall.encode.Parameters>[] = [
      { minOut: 6n },
      { deadline: 6n },
      { recipient: `0x${'a4'.repeat(20)}` },
      { route: { ...given.route, amountIn: 6n } },
      { route: { ...given.route, grossOut: 6n } },
      { route: { ...given.route, impactBps: 6n } },
    ]
    const all = [given, ...changes.map((change) => ({ ...given, ...change }))].map(SwapCall.encode)
    expect(new Set(all).size).toBe(all.length)
  })
})
