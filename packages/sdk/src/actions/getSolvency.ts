import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { SolvencyResponse } from '../wire.js'

/**
 * Returns the solvency of Staking on every chain. Each reading names its block and has an `rpcRequest`, whose result on your
 * own node must equal `raw.solvency`.
 */
export async function getSolvency(
  client: Client,
  options?: CallOptions,
): Promise<SolvencyResponse> {
  return await request(client, 'getSolvency', {}, options)
}
