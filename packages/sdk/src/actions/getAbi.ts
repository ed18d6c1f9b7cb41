import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { AbiListResponse, AbiResponse } from '../wire.js'

/** Returns the ABI of one contract, or the list of all ABIs without `contract`. */
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
