import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { XrayResponse } from '../wire.js'

/** Compares the reported reserves of a token's pools with what they hold on chain. `null` means unknown, not zero. */
export async function getXray(
  client: Client,
  parameters: { chain: string | number; token: string },
  options?: CallOptions,
): Promise<XrayResponse> {
  const query = { chain: String(parameters.chain), token: parameters.token }
  return await request(client, 'getXray', { query }, options)
}
