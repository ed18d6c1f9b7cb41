import type { Plan } from '@sluice/domain'
import type { Address } from 'viem'
import type { HintSet } from './HintSet.js'
import { proposePools } from './proposePools.js'

/**
 * Proposes pool hints beside connector hints. Both together take more gas than either, and can hide what either finds: if pools
 * alone are worth more, the connectors are left out.
 *
 * @param options.attempt Quotes the trade with these hints; `undefined` if there is no route.
 * @param options.packs Packs of pools, each of which fits into one call.
 * @param options.worthOf Value of a plan to the trader.
 */
export async function proposeBeside(
  connectors: readonly Address[],
  options: {
    attempt: (hints: HintSet) => Promise<Plan.Plan | undefined>
    packs: readonly HintSet['pools'][]
    worthOf: (plan: Plan.Plan) => bigint
  },
): Promise<HintSet> {
  const { attempt, packs, worthOf } = options
  const propose = async (beside: readonly Address[]): Promise<HintSet> => {
    const tryPools = (pools: HintSet['pools']) => attempt({ connectors: beside, pools })
    return { connectors: beside, pools: await proposePools(packs, tryPools, worthOf) }
  }
  const together = await propose(connectors)
  if (connectors.length === 0 || packs.length === 0) return together
  const alone = await propose([])
  if (alone.pools.length === 0) return together
  const [worth, worthAlone] = (await Promise.all([together, alone].map(attempt))).map((plan) =>
    plan ? worthOf(plan) : 0n,
  )
  return worthAlone! > worth! ? alone : together
}
