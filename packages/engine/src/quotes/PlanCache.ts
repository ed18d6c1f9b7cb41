import { Lru, type Plan } from '@sluice/domain'
import type { Hex } from 'viem'

const maxRoutes = 4_096
const maxNegatives = 512

/** A plan, and the gas limit of its call if the node's gas cap lowered it. */
export type KeptPlan = { readonly plan: Plan.Plan; readonly gas?: bigint }

/** Cache of plans by block hash and call. Entries of old blocks are never read again, so nothing needs to expire. */
export type PlanCache = {
  get: (blockHash: Hex, call: string) => KeptPlan | undefined
  put: (blockHash: Hex, call: string, kept: KeptPlan) => void
}

export function createPlanCache(): PlanCache {
  const routes = Lru.create<string, KeptPlan>(maxRoutes)
  // A separate cache, so that pairs without a route cannot evict useful plans.
  const negatives = Lru.create<string, KeptPlan>(maxNegatives)
  return {
    get(blockHash, call) {
      const key = `${blockHash}:${call}`
      return routes.get(key) ?? negatives.get(key)
    },
    put(blockHash, call, kept) {
      const partition = kept.plan.verdict === 'Executable' ? routes : negatives
      partition.put(`${blockHash}:${call}`, kept)
    },
  }
}
