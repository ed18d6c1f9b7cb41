import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { BadgeResponse } from '../wire.js'

/** Returns the solvency of the protocol in the format of badge services. */
export async function getBadge(client: Client, options?: CallOptions): Promise<BadgeResponse> {
  return await request(client, 'getBadge', {}, options)
}
