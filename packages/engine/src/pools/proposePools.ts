import { type Plan, PoolHints } from '@sluice/domain'
import { poolsUsed } from './HintSet.js'

type Pools = readonly PoolHints.PoolHint[]

/** A quote with some pools: by how much they increase what the trade is worth, and which of them the route uses. */
type Trial = { readonly gain: bigint; readonly used: Pools }

/**
 * Proposes up to eight pool hints: those that the best routes use, out of packs that were chosen by depth.
 *
 * @param tryPools Quotes the trade with these pools; `undefined` if there is no route.
 * @param worthOf Value of a plan to the trader.
 */
export async function proposePools(
  packs: readonly Pools[],
  tryPools: (pools: Pools) => Promise<Plan.Plan | undefined>,
  worthOf: (plan: Plan.Plan) => bigint,
): Promise<Pools> {
  if (packs.length === 0) return []
  const [plain, ...plans] = await Promise.all([[], ...packs].map(tryPools))
  const least = plain ? worthOf(plain) : 0n
  const measure = (pools: Pools, plan: Plan.Plan | undefined): Trial => ({
    gain: (plan ? worthOf(plan) : 0n) - least,
    used: plan ? poolsUsed(plan.route, pools) : [],
  })
  const trials = packs
    .map((pools, index) => measure(pools, plans[index]))
    .filter(({ gain, used }) => gain > 0n && used.length > 0)
    .sort((a, b) => (a.gain < b.gain ? 1 : -1))
  const [best, ...others] = trials
  if (best === undefined || others.length === 0) return best?.used ?? []
  const together = trials.flatMap(({ used }) => used).slice(0, PoolHints.max)
  const joined = measure(together, await tryPools(together))
  return joined.gain > best.gain ? joined.used : best.used
}
