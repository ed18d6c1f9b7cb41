import { describe, expect, test } from 'vitest'
import * as Deadline from './Deadline.js'

const timestamp = 1_700_000_000n

function deadlineAt(now: bigint, deadlineSec = 120, blockTimeMs = 2_000) {
  return Deadline.from({ deadlineSec, now, timestamp, blockTimeMs })
}

describe('Deadline.from', () => {
  test('default: counts from the clock', () => {
    expect(deadlineAt(timestamp + 7n)).toEqual({ at: timestamp + 127n, countedFrom: 'clock' })
  })

  test('behavior: counts from the clock even if the latest block is old', () => {
    expect(deadlineAt(timestamp + 98_765n, 3_600)?.at).toBe(timestamp + 98_765n + 3_600n)
  })

  test('behavior: is never before the next block', () => {
    expect(deadlineAt(timestamp, 10, 12_000)?.at).toBe(timestamp + 12n)
    expect(deadlineAt(timestamp + 1n, 10, 12_000)?.at).toBe(timestamp + 12n)
    expect(deadlineAt(timestamp + 30n, 10, 12_000)?.at).toBe(timestamp + 40n)
  })

  test('behavior: counts from the block if its time is after the clock', () => {
    expect(deadlineAt(timestamp - 3n)).toEqual({ at: timestamp + 120n, countedFrom: 'block' })
  })

  test('behavior: is at most 3,600 seconds after the clock', () => {
    expect(deadlineAt(timestamp - 5n, 3_600)?.at).toBe(timestamp - 5n + 3_600n)
    expect(deadlineAt(timestamp - 3_000n, 3_600)?.at).toBe(timestamp + 600n)
  })

  test('error: is undefined if the deadline would already be past', () => {
    expect(deadlineAt(timestamp - 3_599n)).toBeUndefined()
    expect(deadlineAt(0n)).toBeUndefined()
  })
})
