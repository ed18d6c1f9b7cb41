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

/** Runs hints alone: those that are named stop the call. */
const stoppedBy =
  (...tokens: Address[]) =>
  async (packs: readonly (readonly Address[])[]) =>
    packs.map(([hint]) => (tokens.includes(hint!) ? stopped : planOf('Executable', hint!)))
const never = async () => {
  throw new Error('not to be asked')
}

describe('refusedHints', () => {
  test('default: those that fail alone, not all that the failed route passes', async () => {
    const answer = planOf('DryRunFailed', sound, burning)
    expect(await refusedHints([sound, burning], answer, stoppedBy(burning))).toEqual([burning])
  })

  test('behavior: a route that runs refuses none', async () => {
    expect(await refusedHints([sound], planOf('Executable', sound), never)).toBeUndefined()
  })

  test('behavior: a call that stops names no route', async () => {
    const run = stoppedBy(burning)
    expect(await refusedHints([sound, burning, silent], stopped, run)).toEqual([burning])
  })

  test('behavior: hints that fail together only are none of them bad', async () => {
    expect(await refusedHints([sound, silent], stopped, stoppedBy())).toEqual([])
  })

  test('behavior: a failed node says nothing of hints', async () => {
    expect(await refusedHints([sound], failed, never)).toBeUndefined()
    expect(await refusedHints([sound], undefined, never)).toBeUndefined()
  })
})
