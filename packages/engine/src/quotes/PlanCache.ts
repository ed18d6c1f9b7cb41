import { Lru, type Plan } from '@sluice/domain'
import type { Hex } from 'viem'

const maxRoutes = 4_096
const maxNegatives = 512

/** Cache of plans by block hash and call. Entries of old blocks are never read again, so nothing needs to expire. */
export type PlanCache = {
  get: (blockHash: Hex, call: string) => Plan.Plan | undefined
  put: (blockHash: Hex, call: string, plan: Plan.Plan) => void
}

export function createPlanCache(): PlanCache {
  const routes = Lru.create<string, Plan.Plan>(maxRoutes)
  // A separate cache, so that pairs without a route cannot evict useful plans.
  const negatives = Lru.create<string, Plan.Plan>(maxNegatives)
  return {
    get(blockHash, call) {
      const key = `${blockHash}:${call}`
      return routes.get(key) ?? negatives.get(key)
    },
    put(blockHash, call, plan) {
      const partition = plan.verdict === 'Executable' ? routes : negatives
      partition.put(`${blockHash}:${call}`, plan)
    },
  }
}
