import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { DiscoveryResponse } from '../wire.js'

/** Returns the index of the service's endpoints. */
export async function getDiscovery(
  client: Client,
  options?: CallOptions,
): Promise<DiscoveryResponse> {
  return await request(client, 'getDiscovery', {}, options)
}
