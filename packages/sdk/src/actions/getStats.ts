import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { StatsResponse } from '../wire.js'

/**
 * Fills and unique traders of every chain. `filter` reproduces a chain's figures on a node of your own; a chain that could
 * not be read has nulls, not zeros.
 */
export async function getStats(client: Client, options?: CallOptions): Promise<StatsResponse> {
  return await request(client, 'getStats', {}, options)
}
