import { type Hex, padHex } from 'viem'
import { describe, expect, test } from 'vitest'
import * as Rehearsal from './Rehearsal.js'

const step = (changes: Partial<Rehearsal.Step> = {}): Rehearsal.Step => ({
  to: `0x${'a1'.repeat(20)}`,
  value: 0n,
  data: '0x01020304',
  ...changes,
})

const word = (value: bigint) => padHex(`0x${value.toString(16)}`, { size: 32 }).slice(2)
const resultOf = (ok: bigint, gas: bigint, answer: string, said = BigInt(answer.length / 2)) =>
  `${word(ok)}${word(gas)}${word(said)}${answer.padEnd(1_024, '0')}`

describe('Rehearsal', () => {
  test('default: the code contains the address, value and data of each step', () => {
    const steps = [step(), step({ to: `0x${'b2'.repeat(20)}`, value: 5n, data: '0xdeadbeef00' })]
    const code = Rehearsal.codeOf(steps)
    for (const { data, to, value } of steps) {
      expect(code).toContain(`73${to.slice(2)}`)
      expect(code).toContain(`7f${word(value)}`)
      expect(code).toContain(data.slice(2))
    }
    expect(code.endsWith('01020304deadbeef00')).toBe(true)
    // A call with another calldata size than `start` succeeds without effect.
    expect(code.startsWith('0x36600414600857005b')).toBe(true)
    expect(Rehearsal.start.length).toBe(2 + 2 * 4)
  })

  test('default: reads the result of each step', () => {
    const data: Hex = `0x${resultOf(1n, 46_000n, '')}${resultOf(0n, 9n, 'deadbeef')}`
    expect(Rehearsal.read(data, 2)).toEqual([
      { isOk: true, gas: 46_000n, answer: '0x' },
      { isOk: false, gas: 9n, answer: '0xdeadbeef' },
    ])
  })

  test('behavior: reads the first 512 bytes of longer return data', () => {
    const data: Hex = `0x${resultOf(0n, 1n, 'ab'.repeat(512), 2n ** 200n)}`
    expect(Rehearsal.read(data, 1)![0]!.answer).toBe(`0x${'ab'.repeat(512)}`)
  })

  test('error: a result with another number of steps, and an empty result', () => {
    expect(Rehearsal.read('0x', 1)).toBeUndefined()
    expect(Rehearsal.read(`0x${resultOf(1n, 1n, '')}`, 2)).toBeUndefined()
  })
})
