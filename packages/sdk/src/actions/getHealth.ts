import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { HealthResponse } from '../wire.js'

/** Returns the state of the service and of each chain. Can be polled freely. */
export async function getHealth(client: Client, options?: CallOptions): Promise<HealthResponse> {
  return await request(client, 'getHealth', {}, options)
}
