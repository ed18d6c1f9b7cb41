import { quoterAbi } from '@sluice/abi'
import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { verdicts } from './Plan.js'
import * as PlanWords from './PlanWords.js'

const outputs = quoterAbi.find(
  (item) => item.type === 'function' && item.name === 'previewPlanExact',
)!.outputs
const outputsForOutput = quoterAbi.find(
  (item) => item.type === 'function' && item.name === 'previewPlanForOutput',
)!.outputs

const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const address = hexOf(20)

const leg = fc.record({
  venue: fc.integer({ min: 0, max: 0xffff }),
  pool: address,
  tokenIn: address,
  tokenOut: address,
  key: uint,
  share: uint,
})

const plan = fc.record({
  route: fc.record({
    tokenIn: address,
    tokenOut: address,
    amountIn: uint,
    grossOut: uint,
    impactBps: uint,
    legs: fc.array(leg, { maxLength: 12 }),
  }),
  verdict: fc.integer({ min: 0, max: verdicts.length - 1 }),
  protocolFee: uint,
  netOut: uint,
  ironFloor: uint,
  upperBound: uint,
  gapMicroBps: uint,
  estGas: uint,
  hops: uint,
  hasSurplus: fc.boolean(),
  truncated: fc.boolean(),
  poolsRead: uint,
  witness: fc.record({
    chainId: uint,
    blockNumber: uint,
    timestamp: uint,
    parentHash: hexOf(32),
  }),
})

/** Result of viem's decoder; `undefined` if it does not encode back to the same bytes. */
function decodeStrictly(data: Hex) {
  try {
    const [answer] = decodeAbiParameters(outputs, data)
    const verdict = verdicts[answer.verdict]
    if (encodeAbiParameters(outputs, [answer]) !== data || verdict === undefined) return undefined
    return { ...answer, verdict }
  } catch {
    return undefined
  }
}

/** The same for an answer to a question for an output. */
function decodeForOutput(data: Hex) {
  try {
    const [answer, lowerBound, gapMicroBps] = decodeAbiParameters(outputsForOutput, data)
    const verdict = verdicts[answer.verdict]
    const again = encodeAbiParameters(outputsForOutput, [answer, lowerBound, gapMicroBps])
    if (again !== data || verdict === undefined) return undefined
    return { ...answer, verdict, inputBound: { lowerBound, gapMicroBps } }
  } catch {
    return undefined
  }
}

describe('PlanWords.read', () => {
  test("property: equals viem's decoder for every plan for an output, and every changed byte", () => {
    const change = fc.record({ place: fc.nat(), value: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(plan, uint, uint, fc.option(change), (answer, lowerBound, gap, changed) => {
        const whole = encodeAbiParameters(outputsForOutput, [answer, lowerBound, gap])
        const bytes = Buffer.from(whole.slice(2), 'hex')
        if (changed !== null) bytes[changed.place % bytes.length] = changed.value
        const data: Hex = `0x${bytes.toString('hex')}`
        const expected = decodeForOutput(data)
        if (changed === null) expect(expected).toBeDefined()
        expect(PlanWords.read(data)).toEqual(expected)
      }),
      { numRuns: 1_000 },
    )
  })

  test("property: equals viem's decoder for every plan", () => {
    fc.assert(
      fc.property(plan, (answer) => {
        const data = encodeAbiParameters(outputs, [answer])
        const expected = decodeStrictly(data)
        expect(expected).toBeDefined()
        expect(PlanWords.read(data)).toEqual(expected)
      }),
    )
  })

  test("property: equals viem's decoder for every changed byte", () => {
    fc.assert(
      fc.property(plan, fc.nat(), fc.integer({ min: 0, max: 255 }), (answer, place, value) => {
        const bytes = Buffer.from(encodeAbiParameters(outputs, [answer]).slice(2), 'hex')
        bytes[place % bytes.length] = value
        const data: Hex = `0x${bytes.toString('hex')}`
        expect(PlanWords.read(data)).toEqual(decodeStrictly(data))
      }),
      { numRuns: 1_000 },
    )
  })

  test('property: rejects a shorter or longer result', () => {
    fc.assert(
      fc.property(plan, fc.integer({ min: -64, max: 64 }), (answer, more) => {
        if (more === 0) return
        const data = encodeAbiParameters(outputs, [answer])
        const changed = more < 0 ? data.slice(0, 2 * more) : `${data}${'00'.repeat(more)}`
        expect(PlanWords.read(changed as Hex)).toBeUndefined()
      }),
    )
  })
})
