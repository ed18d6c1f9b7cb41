import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { DeploymentsResponse } from '../wire.js'

/** Returns the contract addresses of each generation, on all chains or on one. */
export async function getDeployments(
  client: Client,
  parameters: { chain?: string | number | undefined; version?: string | undefined } = {},
  options?: CallOptions,
): Promise<DeploymentsResponse> {
  const { chain, version } = parameters
  const query = {
    ...(chain !== undefined && { chain: String(chain) }),
    ...(version !== undefined && { version }),
  }
  return await request(client, 'getDeployments', { query }, options)
}
