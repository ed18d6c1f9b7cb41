import type { Overrides, Registry } from '@sluice/domain'
import type { ChainState } from '../ChainState.js'
import { decodeLens, type LensAnswer } from '../lens/askLens.js'
import { type LensAsk, lensCall, lensOverride } from '../lens/lensCall.js'
import { readPinned } from '../quotes/readPinned.js'

export type GroupOptions = Pick<
  readPinned.Options,
  'now' | 'onFailure' | 'signal' | 'budget' | 'block'
> & {
  /** Monotonic milliseconds. */
  readonly endsAt: number
  readonly chain: Registry.ServedChain
  /** State that the caller asks for. */
  readonly overrides?: Overrides.Overrides | undefined
}

/** Reads in one call of the Lens, and gas of each: a pool that burns all its gas does not take that of the others. */
const readsPerCall = 48
const gasEach = 600_000n
/** Maximum number of reads in one node request. */
const maxReads = 240

/**
 * Makes many reads with the Lens, all on one block and in one node request. A read that fails does not affect the others.
 *
 * @returns Answers in the order of the reads, without those beyond the maximum. `undefined` if no node answers.
 */
export async function askInGroups(
  state: ChainState,
  reads: readonly LensAsk[],
  { chain, endsAt, overrides: foreign, ...options }: GroupOptions,
): Promise<readonly LensAnswer[] | undefined> {
  if (reads.length === 0) return []
  const asked = reads.slice(0, maxReads)
  const groups = Array.from({ length: Math.ceil(asked.length / readsPerCall) }, (_, index) =>
    asked.slice(index * readsPerCall, (index + 1) * readsPerCall),
  )
  const override = { ...chain.stateOverride, ...lensOverride }
  const calls = groups.map((group) => ({ ...lensCall(group, gasEach), override, foreign }))
  let answers: readonly LensAnswer[] | undefined
  const read = await readPinned(state, calls, {
    ...options,
    budgetMs: Math.max(0, endsAt - performance.now()),
    needsOverrides: true,
    accepts(results, block) {
      const decoded = results.map((result, index) =>
        decodeLens(result, block, groups[index]!.length),
      )
      answers = decoded.includes(undefined) ? undefined : decoded.flatMap((each) => each!)
      return answers !== undefined
    },
  })
  return read.ok ? answers : undefined
}
