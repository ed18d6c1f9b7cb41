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

/** Runs hints alone. The runs with these hints stop. */
const stoppedBy =
  (...tokens: Address[]) =>
  async (packs: readonly (readonly Address[])[]) =>
    packs.map(([hint]) => (tokens.includes(hint!) ? stopped : planOf('Executable', hint!)))
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

  test('behavior: hints that only fail together are not refused', async () => {
    expect(await refusedHints([sound, silent], stopped, stoppedBy())).toEqual([])
  })

  test('behavior: a node failure says nothing about hints', async () => {
    expect(await refusedHints([sound], failed, never)).toBeUndefined()
    expect(await refusedHints([sound], undefined, never)).toBeUndefined()
  })
})
