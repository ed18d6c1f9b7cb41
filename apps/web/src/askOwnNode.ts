import { Addresses, PlanCall } from '@sluice/domain'
import {
  type Client,
  type DecodedQuote,
  decodeQuote,
  type PreparedQuote,
  prepareQuote,
  type Quote,
  type QuoteParameters,
} from '@sluice/sdk'
import { decode, prepare, type Registry } from '@sluice/sdk/verify'
import { numberToHex } from 'viem'
import { type AskNode, NodeError } from './askNode.js'
import { callOn, isDeployed } from './callOn.js'

type NodeOptions = { readonly client: Client; readonly registry: Registry }

/**
 * Asks the reader's own node for a quote, and checks its answer here. If nothing is deployed the call brings code along,
 * which the service knows; it then prepares and decodes, and the node alone still computes.
 *
 * @throws NodeError, or an error of the SDK that names the check that failed.
 */
export async function askOwnNode(
  ask: AskNode,
  parameters: QuoteParameters,
  { client, registry }: NodeOptions,
): Promise<DecodedQuote> {
  const prepared = await prepareAnywhere(parameters, { client, registry })
  const { chainId, request } = prepared
  const result = await callOn(ask, chainId, prepared.rpcRequest.params)
  if (!isDeployed(registry, chainId)) return await decodeQuote(client, { request, result })
  // A chain that makes blocks on demand may have an old latest block without being stale.
  return decode({ request, result }, { registry, maxBlockAgeSec: Number.POSITIVE_INFINITY })
}

/** Repeats a quote of a chain without a deployment: the service prepares, with the trade and the steering of the quote. */
export async function repeatUndeployed(
  ask: AskNode,
  { amountIn, chainId, exactOutput, meta, tokenIn, tokenOut }: Quote,
  client: Client,
): Promise<DecodedQuote> {
  const question = PlanCall.read((meta?.call?.data ?? '0x') as `0x${string}`)
  if (question === undefined)
    throw new NodeError('The quote does not say which call it comes from.')
  const { connectors, excludedVenues, gasPrice, isExact: exact, pools = [] } = question
  const steering = {
    chain: chainId,
    in: tokenIn,
    out: tokenOut,
    ...{ connectors, pools, gasPrice, exact },
    excludeSources: excludedVenues?.map(String),
  }
  const amount = exactOutput === undefined ? { amountIn } : { amountOut: exactOutput.amountOut }
  const { request, rpcRequest } = await prepareQuote(client, { ...steering, ...amount })
  const [plain, , ...override] = rpcRequest.params
  const { blockNumber, gas } = meta!.call!
  const call = { ...(plain as { to: string; data: string }), gas }
  const result = await callOn(ask, chainId, [call, numberToHex(blockNumber), ...override])
  return await decodeQuote(client, { request, result })
}

/** Without the service wherever the registry and the parameters allow it. */
async function prepareAnywhere(
  parameters: QuoteParameters,
  { client, registry }: NodeOptions,
): Promise<PreparedQuote> {
  const isPlain = [parameters.in, parameters.out].every(
    (token) => Addresses.hasShape(token) || /^(ETH|WETH|USDC|SLU)$/i.test(token),
  )
  if (isPlain && isDeployed(registry, Number(parameters.chain)))
    return prepare(parameters, { registry })
  return await prepareQuote(client, parameters)
}
