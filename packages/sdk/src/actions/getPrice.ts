import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { PriceResponse } from '../wire.js'

/** Returns prices in USD, by quotes of the service. `null` means unknown, not zero. */
export async function getPrice(
  client: Client,
  { chain, tokens }: { chain: string | number; tokens: readonly string[] },
  options?: CallOptions,
): Promise<PriceResponse> {
  const query = { chain: String(chain), tokens: tokens.join() }
  return await request(client, 'getPrice', { query }, options)
}
