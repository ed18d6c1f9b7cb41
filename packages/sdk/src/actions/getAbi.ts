import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { AbiListResponse, AbiResponse } from '../wire.js'

/** ABI of one contract, generated from its source; without a name, what there is. */
export function getAbi(
  client: Client,
  parameters: { contract: string; version?: string | undefined },
  options?: CallOptions,
): Promise<AbiResponse>
export function getAbi(
  client: Client,
  parameters?: { contract?: undefined; version?: string | undefined },
  options?: CallOptions,
): Promise<AbiListResponse>
export async function getAbi(
  client: Client,
  parameters: { contract?: string | undefined; version?: string | undefined } = {},
  options?: CallOptions,
): Promise<AbiResponse | AbiListResponse> {
  const { contract, version } = parameters
  const query = {
    ...(contract !== undefined && { contract }),
    ...(version !== undefined && { version }),
  }
  return await request(client, 'getAbi', { query }, options)
}
