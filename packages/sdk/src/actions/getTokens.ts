import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { TokensResponse } from '../wire.js'

/** Returns the listed tokens of a chain, or those in `tokens`: addresses or well-known symbols. */
export async function getTokens(
  client: Client,
  { chain, tokens }: { chain: string | number; tokens?: readonly string[] | undefined },
  options?: CallOptions,
): Promise<TokensResponse> {
  const query = { chain: String(chain), ...(tokens && { tokens: tokens.join() }) }
  return await request(client, 'getTokens', { query }, options)
}
