import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { SolvencyResponse } from '../wire.js'

/**
 * How Staking stands on every chain. Each reading names its block and carries `rpcRequest`: a node of your own answers it
 * with `raw.solvency`, to the byte.
 */
export async function getSolvency(
  client: Client,
  options?: CallOptions,
): Promise<SolvencyResponse> {
  return await request(client, 'getSolvency', {}, options)
}
