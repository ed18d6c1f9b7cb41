import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { DiscoveryResponse } from '../wire.js'

/** What the service offers, and where. */
export async function getDiscovery(
  client: Client,
  options?: CallOptions,
): Promise<DiscoveryResponse> {
  return await request(client, 'getDiscovery', {}, options)
}
