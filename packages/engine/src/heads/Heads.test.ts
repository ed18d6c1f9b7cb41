import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockHash } from '../../test/fakeNode.js'
import type { Head } from './Head.js'
import { createHeads } from './Heads.js'

/** Block `number` of a branch that forked after block `forkedAt`. */
function headOf(number: number, branch = '', forkedAt = 0): Head {
  const hashOf = (at: number) => blockHash(at, at > forkedAt ? branch : '')
  return {
    number: BigInt(number),
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: BigInt(2 * number),
  }
}

function bestOf(heads: readonly (readonly [string, Head, number?])[]) {
  const known = createHeads()
  for (const [label, head, askedAt = 0] of heads) known.note(label, head, askedAt)
  const best = known.best()
  return best && [best.head, best.supporters]
}

describe('Heads.best', () => {
  test('default: nothing at first, then the head of the only node', () => {
    expect(bestOf([])).toBeUndefined()
    expect(bestOf([['a', headOf(7)]])).toEqual([headOf(7), 1])
  })

  test.each([
    ['two agree', [headOf(9), headOf(9), headOf(5)], headOf(9), 2],
    ['a child block confirms its parent', [headOf(10), headOf(9)], headOf(9), 2],
    ['one far ahead decides nothing', [headOf(900), headOf(9), headOf(9)], headOf(9), 2],
    ['one far behind decides nothing', [headOf(9), headOf(900), headOf(900)], headOf(900), 2],
    ['one node on a fork', [headOf(9, 'x', 7), headOf(9), headOf(9)], headOf(9), 2],
    ['nobody agrees', [headOf(90), headOf(60), headOf(30)], headOf(60), 1],
    ['two far apart', [headOf(1_000), headOf(1)], headOf(1_000), 1],
    ['two near', [headOf(9), headOf(6)], headOf(6), 1],
  ])('behavior: %s', (_, heads, best, supporters) => {
    expect(bestOf(heads.map((head, index) => [`${index}`, head]))).toEqual([best, supporters])
  })

  test('behavior: a node confirms its earlier blocks, unless it has reorganized', () => {
    const walk = (branch: string) =>
      [7, 8, 9].map((number, at) => ['a', headOf(number, branch, 7), at] as const)
    expect(bestOf([...walk(''), ['b', headOf(7), 3]])).toEqual([headOf(7), 2])
    const moved = ['a', headOf(9, 'x', 7), 3] as const
    expect(bestOf([...walk(''), moved, ['b', headOf(8), 4]])).toEqual([headOf(8), 1])
  })

  test('behavior: after a gap a node no longer confirms its earlier blocks', () => {
    const leapt = [headOf(7), headOf(10)].map((head, at) => ['a', head, at] as const)
    expect(bestOf([...leapt, ['b', headOf(7), 2]])).toEqual([headOf(7), 1])
  })

  test('behavior: a block counts as the latest as of the last time a node reported it as its head', () => {
    const heads = createHeads()
    heads.note('a', headOf(7), 0)
    for (const [label, branch] of [
      ['b', 'x'],
      ['c', 'y'],
    ] as const) {
      heads.note(label, headOf(7), 5)
      heads.note(label, headOf(8, branch, 7), 90)
    }
    expect(heads.best()).toEqual({
      head: headOf(7),
      askedAt: 0,
      supporters: 3,
      lead: 1n,
      isContested: false,
    })
  })

  test('behavior: as old as the second newest confirmation; older reports change nothing', () => {
    const heads = createHeads()
    for (const [label, askedAt] of [
      ['a', 5],
      ['b', 9],
      ['c', 7],
    ] as const)
      heads.note(label, headOf(4), askedAt)
    heads.note('b', headOf(3), 8)
    expect(heads.best()).toMatchObject({ head: headOf(4), askedAt: 7, supporters: 3, lead: 0n })
    heads.forget('c', 6)
    expect(heads.best()).toMatchObject({ askedAt: 7, supporters: 3 })
    heads.forget('c', 7)
    expect(heads.best()).toMatchObject({ askedAt: 5, supporters: 2 })
  })

  test('behavior: ignores reports before `since`', () => {
    const heads = createHeads()
    heads.note('a', headOf(4), 5)
    heads.note('b', headOf(4), 6)
    heads.note('c', headOf(9), 20)
    expect(heads.best()).toMatchObject({ head: headOf(4), supporters: 2 })
    expect(heads.best(20)).toMatchObject({ head: headOf(9), askedAt: 20, supporters: 1 })
    expect(heads.best(21)).toBeUndefined()
  })

  test('property: two honest nodes of three always win, whatever the third reports', () => {
    const step = fc.record({
      moves: fc.integer({ min: 0, max: 3 }),
      lag: fc.integer({ min: 0, max: 1 }),
      lie: fc.integer({ min: -1_000, max: 1_000 }),
      branch: fc.constantFrom('', 'x', 'y'),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 100 }), (steps) => {
        const heads = createHeads()
        let tip = 2_000
        for (const [time, { branch, lag, lie, moves }] of steps.entries()) {
          tip += moves
          heads.note('honest 1', headOf(tip), time)
          heads.note('honest 2', headOf(tip - lag), time)
          heads.note('liar', headOf(tip + lie, branch, tip - 5), time)
          const { head } = heads.best()!
          expect(head.hash).toBe(headOf(Number(head.number)).hash)
          expect(Number(head.number)).toBeGreaterThanOrEqual(tip - lag)
          expect(Number(head.number)).toBeLessThanOrEqual(tip)
        }
      }),
      { numRuns: 300, seed: 7 },
    )
  })
})
