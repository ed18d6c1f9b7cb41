import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'
import { type HintRun, type RunWith, refusedHints } from './refusedHints.js'

const [sound, burning, silent] = [1, 2, 3].map((n) => `0x${`${n}`.repeat(40)}` as Address) as [
  Address,
  Address,
  Address,
]
const stopped: PlanAnswer = { kind: 'stopped', how: 'halt' }
const failed: PlanAnswer = { kind: 'failed', failure: 'timeout' }
const quotedOut = 1_000_000n

const planOf = (verdict: string, through: readonly Address[] = [], netOut = quotedOut) =>
  ({
    kind: 'plan',
    plan: { verdict, netOut, route: { legs: through.map((tokenOut) => ({ tokenOut })) } },
  }) as unknown as PlanAnswer
const ranLike = (run: PlanAnswer): HintRun => ({ quoted: planOf('Executable'), run })
/** A run through tokens that pays `netOut`. */
const paid = (netOut: bigint, through: readonly Address[] = []): HintRun => ({
  quoted: planOf('Executable', through),
  run: planOf('Executable', through, netOut),
})
const plain = paid(quotedOut)

/** The runs with all of these hints stop. */
const stoppedBy =
  (...tokens: Address[]): RunWith =>
  async (packs) =>
    packs.map((hints) =>
      tokens.every((token) => hints.includes(token)) ? ranLike(stopped) : paid(quotedOut, hints),
    )
const never: RunWith = async () => {
  throw new Error('not to be asked')
}

describe('refusedHints', () => {
  test('default: only the hints that fail alone, not all hints of the failed route', async () => {
    const whole = ranLike(planOf('DryRunFailed', [sound, burning]))
    const runWith = stoppedBy(burning)
    expect(await refusedHints([sound, burning], { plain, whole, runWith })).toEqual([burning])
  })

  test('behavior: if the route runs, no hint is refused', async () => {
    const whole = paid(quotedOut, [sound])
    expect(await refusedHints([sound], { plain, whole, runWith: never })).toBeUndefined()
  })

  test('behavior: finds the hint even if the run stopped without a route', async () => {
    const options = { plain, whole: ranLike(stopped), runWith: stoppedBy(burning) }
    expect(await refusedHints([sound, burning, silent], options)).toEqual([burning])
  })

  test('behavior: of hints that fail only together, the later one is refused', async () => {
    const options = { plain, whole: ranLike(stopped), runWith: stoppedBy(sound, silent) }
    expect(await refusedHints([sound, silent], options)).toEqual([silent])
    expect(await refusedHints([sound, silent, burning], options)).toEqual([silent])
    expect(await refusedHints([sound, burning, silent], options)).toEqual([silent])
    expect(await refusedHints([burning, silent, sound], options)).toEqual([sound])
  })

  test('behavior: a single hint that works alone is not refused', async () => {
    const options = { plain, whole: ranLike(stopped), runWith: stoppedBy(burning) }
    expect(await refusedHints([sound], options)).toEqual([])
  })

  test('behavior: a node failure says nothing about hints', async () => {
    const options = { plain, runWith: never }
    expect(await refusedHints([sound], { ...options, whole: ranLike(failed) })).toBeUndefined()
    expect(await refusedHints([sound], { ...options, whole: undefined })).toBeUndefined()
  })

  test('behavior: a hint whose route pays less than quoted is refused', async () => {
    const taxed = quotedOut - 200n
    const runWith: RunWith = async (packs) =>
      packs.map((hints) => paid(hints.includes(burning) ? taxed : quotedOut, hints))
    const whole = paid(taxed, [sound, burning])
    expect(await refusedHints([sound, burning], { plain, whole, runWith })).toEqual([burning])
  })

  test('behavior: what the tokens of the trade take from transfers is not the fault of hints', async () => {
    const taxed = quotedOut - 20_000n
    const options = { plain: paid(taxed), runWith: never }
    expect(await refusedHints([sound], { ...options, whole: paid(taxed) })).toBeUndefined()
    const runWith: RunWith = async (packs) => packs.map((hints) => paid(taxed - 200n, hints))
    const whole = paid(taxed - 200n, [sound])
    expect(await refusedHints([sound], { ...options, runWith, whole })).toEqual([sound])
  })

  test('behavior: less than a basis point is not short, and another route says nothing', async () => {
    const options = { plain, runWith: never }
    const whole = paid(quotedOut - quotedOut / 10_000n, [sound])
    expect(await refusedHints([sound], { ...options, whole })).toBeUndefined()
    const other: HintRun = {
      quoted: planOf('Executable', [sound]),
      run: planOf('Executable', [burning], quotedOut / 2n),
    }
    expect(await refusedHints([sound, burning], { ...options, whole: other })).toBeUndefined()
  })
})
