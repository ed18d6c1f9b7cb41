import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { SourcesResponse } from '../wire.js'

/** Returns the venues of a chain, and the number of their pools that the service knows. */
export async function getSources(
  client: Client,
  { chain }: { chain: string | number },
  options?: CallOptions,
): Promise<SourcesResponse> {
  return await request(client, 'getSources', { query: { chain: String(chain) } }, options)
}
