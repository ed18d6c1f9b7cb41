import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { SourcesResponse } from '../wire.js'

/** Venues of a chain, and how many of their pools the service knows. */
export async function getSources(
  client: Client,
  { chain }: { chain: string | number },
  options?: CallOptions,
): Promise<SourcesResponse> {
  return await request(client, 'getSources', { query: { chain: String(chain) } }, options)
}
