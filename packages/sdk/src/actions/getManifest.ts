import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { ManifestResponse } from '../wire.js'

/** Returns the contracts, tokens and event topics of every chain. */
export async function getManifest(
  client: Client,
  options?: CallOptions,
): Promise<ManifestResponse> {
  return await request(client, 'getManifest', {}, options)
}
