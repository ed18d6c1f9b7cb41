import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { StatsResponse } from '../wire.js'

/**
 * Returns the fills and unique traders of every chain. `filter` reproduces the figures of a chain on your own node. A chain
 * that could not be read has nulls, not zeros.
 */
export async function getStats(client: Client, options?: CallOptions): Promise<StatsResponse> {
  return await request(client, 'getStats', {}, options)
}
