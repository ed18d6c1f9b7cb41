import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { BadgeResponse } from '../wire.js'

/** Whether the protocol is solvent, as badge services read it. */
export async function getBadge(client: Client, options?: CallOptions): Promise<BadgeResponse> {
  return await request(client, 'getBadge', {}, options)
}
