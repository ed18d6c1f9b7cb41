import { beforeEach, describe, expect, test } from 'vitest'
import * as Standing from './Standing.js'

let standing: Standing.Standing

beforeEach(() => {
  standing = Standing.create()
})

const times = (count: number, action: () => void) => {
  for (let index = 0; index < count; index++) action()
}

describe('demotion', () => {
  test('default: after five hedges lost in a row', () => {
    times(4, () => Standing.loseHedge(standing, 0))
    Standing.succeed(standing, 0)
    times(4, () => Standing.loseHedge(standing, 0))
    expect(Standing.isDemoted(standing)).toBe(false)
    Standing.loseHedge(standing, 0)
    expect(Standing.isDemoted(standing)).toBe(true)
  })

  test('behavior: after five failures among the last twenty', () => {
    times(4, () => Standing.fail(standing, 0))
    times(17, () => Standing.succeed(standing, 0))
    times(1, () => Standing.fail(standing, 0))
    expect(Standing.isDemoted(standing)).toBe(false)
    times(4, () => Standing.fail(standing, 0))
    expect(Standing.isDemoted(standing)).toBe(true)
  })
})

describe('recovery', () => {
  beforeEach(() => times(5, () => Standing.fail(standing, 0)))

  test('default: probes with one request in twenty, and restores the node after two successes', () => {
    const probes: number[] = []
    for (let request = 1; request <= 40; request++) {
      if (!Standing.takesProbe(standing, 1)) continue
      probes.push(request)
      Standing.succeed(standing, 1)
    }
    // The second probe follows at once, because the first succeeded.
    expect(probes).toEqual([20, 21])
    expect(Standing.isDemoted(standing)).toBe(false)
  })

  test('behavior: probes after 5 s, and doubles the wait up to 60 s while probes fail', () => {
    let now = 0
    const waits: number[] = []
    for (let probe = 0; probe < 6; probe++) {
      const since = now
      while (!Standing.takesProbe({ ...standing, sinceProbe: 0 }, now)) now += 1_000
      waits.push(now - since)
      Standing.fail(standing, now)
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  })

  test('behavior: does not restore a node after one success between failures', () => {
    Standing.succeed(standing, 5_000)
    Standing.fail(standing, 5_001)
    Standing.succeed(standing, 20_000)
    expect(Standing.isDemoted(standing)).toBe(true)
  })

  test('behavior: doubles the demotion of a node that fails again within a minute', () => {
    times(2, () => Standing.succeed(standing, 1_000))
    times(5, () => Standing.fail(standing, 2_000))
    expect(standing.periodMs).toBe(10_000)
    times(2, () => Standing.succeed(standing, 3_000))
    times(5, () => Standing.fail(standing, 90_000))
    expect(standing.periodMs).toBe(5_000)
  })
})

test('behavior: a node rests for its Retry-After, at most a minute', () => {
  Standing.rest(standing, 0, 3_000)
  expect([2_999, 3_000].map((now) => Standing.isResting(standing, now))).toEqual([true, false])
  Standing.rest(standing, 0, 3_600_000)
  expect([59_999, 60_000].map((now) => Standing.isResting(standing, now))).toEqual([true, false])
})
