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

  test('behavior: the clock counts on an idle chain too, to the second', () => {
    expect(deadlineAt(timestamp + 98_765n, 3_600)?.at).toBe(timestamp + 98_765n + 3_600n)
  })

  test('behavior: the next block is in time, however short the horizon', () => {
    expect(deadlineAt(timestamp, 10, 12_000)?.at).toBe(timestamp + 12n)
    expect(deadlineAt(timestamp + 1n, 10, 12_000)?.at).toBe(timestamp + 12n)
    expect(deadlineAt(timestamp + 30n, 10, 12_000)?.at).toBe(timestamp + 40n)
  })

  test('behavior: a block dated after the clock counts in its place', () => {
    expect(deadlineAt(timestamp - 3n)).toEqual({ at: timestamp + 120n, countedFrom: 'block' })
  })

  test('behavior: never past the maximum after the clock', () => {
    expect(deadlineAt(timestamp - 5n, 3_600)?.at).toBe(timestamp - 5n + 3_600n)
    expect(deadlineAt(timestamp - 3_000n, 3_600)?.at).toBe(timestamp + 600n)
  })

  test('error: no deadline that is already past', () => {
    expect(deadlineAt(timestamp - 3_599n)).toBeUndefined()
    expect(deadlineAt(0n)).toBeUndefined()
  })
})
