import type { Explanation } from '@sluice/api'

/** Maximum number of pools in an explanation, to keep it short for a model. */
const maxPools = 12

/**
 * Cuts an explanation to what a model can use: the first pools, and the shorter one of the two commands. `poolsOmitted`
 * counts what is left out; GET /api/quote with `explain=1` has more.
 */
export function boundExplanation<explain>(given: explain): explain {
  const explain = given as Partial<Explanation> | null | undefined
  if (typeof explain !== 'object' || explain === null) return given
  const { call, pools, poolsOmitted = 0 } = explain
  const { curl: _, ...shortCall } = call ?? {}
  const cut = {
    ...explain,
    ...(call && { call: shortCall }),
    ...(pools && {
      pools: pools.slice(0, maxPools),
      poolsOmitted: poolsOmitted + Math.max(0, pools.length - maxPools),
    }),
  }
  return cut as explain
}
