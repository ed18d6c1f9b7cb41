import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'
import { refusedHints } from './refusedHints.js'

const [sound, burning, silent] = [1, 2, 3].map((n) => `0x${`${n}`.repeat(40)}` as Address) as [
  Address,
  Address,
  Address,
]
const stopped: PlanAnswer = { kind: 'stopped', how: 'halt' }
const failed: PlanAnswer = { kind: 'failed', failure: 'timeout' }

const planOf = (verdict: string, ...through: Address[]) =>
  ({
    kind: 'plan',
    plan: { verdict, route: { legs: through.map((tokenOut) => ({ tokenOut })) } },
  }) as unknown as PlanAnswer

/** The runs with all of these hints stop. */
const stoppedBy =
  (...tokens: Address[]) =>
  async (packs: readonly (readonly Address[])[]) =>
    packs.map((hints) =>
      tokens.every((token) => hints.includes(token)) ? stopped : planOf('Executable', ...hints),
    )
const never = async () => {
  throw new Error('not to be asked')
}

describe('refusedHints', () => {
  test('default: only the hints that fail alone, not all hints of the failed route', async () => {
    const answer = planOf('DryRunFailed', sound, burning)
    expect(await refusedHints([sound, burning], answer, stoppedBy(burning))).toEqual([burning])
  })

  test('behavior: if the route runs, no hint is refused', async () => {
    expect(await refusedHints([sound], planOf('Executable', sound), never)).toBeUndefined()
  })

  test('behavior: finds the hint even if the run stopped without a route', async () => {
    const run = stoppedBy(burning)
    expect(await refusedHints([sound, burning, silent], stopped, run)).toEqual([burning])
  })

  test('behavior: of hints that fail only together, the later one is refused', async () => {
    const together = stoppedBy(sound, silent)
    expect(await refusedHints([sound, silent], stopped, together)).toEqual([silent])
    expect(await refusedHints([sound, silent, burning], stopped, together)).toEqual([silent])
    expect(await refusedHints([sound, burning, silent], stopped, together)).toEqual([silent])
    expect(await refusedHints([burning, silent, sound], stopped, together)).toEqual([sound])
  })

  test('behavior: a single hint that works alone is not refused', async () => {
    const works = async () => [planOf('Executable', sound)]
    expect(await refusedHints([sound], stopped, works)).toEqual([])
  })

  test('behavior: a node failure says nothing about hints', async () => {
    expect(await refusedHints([sound], failed, never)).toBeUndefined()
    expect(await refusedHints([sound], undefined, never)).toBeUndefined()
  })
})
