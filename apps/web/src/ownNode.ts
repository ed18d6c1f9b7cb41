import { Addresses, PlanCall } from '@sluice/domain'
import {
  BaseError,
  type Client,
  type DecodedQuote,
  decodeQuote,
  type PreparedQuote,
  prepareQuote,
  type Quote,
  type QuoteParameters,
  RpcRequiredError,
} from '@sluice/sdk'
import { decode, isSameOutcome, prepare, prepareRepeat, type Registry } from '@sluice/sdk/verify'
import { numberToHex } from 'viem'
import { type AskNode, NodeError } from './askNode.js'

/** A quote from the reader's own node, and the call it came from. */
export type OwnQuote = { readonly quote: DecodedQuote; readonly prepared: PreparedQuote }

type NodeOptions = { client: Client; registry: Registry; isOnDemand: boolean }

/**
 * Asks the reader's own node and checks its answer here. If nothing is deployed the call brings code along, which the
 * service knows; it then prepares and decodes, and the node alone still computes.
 *
 * @throws NodeError, or an error of the SDK that names the check that failed.
 */
export async function askOwnNode(
  ask: AskNode,
  parameters: QuoteParameters,
  options: NodeOptions,
): Promise<OwnQuote> {
  return await askPrepared(ask, await prepareAnywhere(parameters, options), options)
}

/**
 * Repeats the service's quote on the reader's own node: the very call that the quote says, on its block.
 *
 * @throws NodeError, or an error of the SDK that names the check that failed.
 */
export async function repeatOnOwnNode(
  ask: AskNode,
  served: Quote,
  options: NodeOptions,
): Promise<OwnQuote> {
  if (isDeployed(options.registry, served.chainId))
    return await askPrepared(ask, prepareRepeat(served, options), options)
  return await askPrepared(ask, await prepareUndeployed(served, options.client), options)
}

/** The service prepares, because it knows the code that the call brings along; the trade and the steering are the quote's. */
async function prepareUndeployed(served: Quote, client: Client): Promise<PreparedQuote> {
  const { amountIn, chainId, meta, tokenIn, tokenOut } = served
  const question = PlanCall.read((meta?.call?.data ?? '0x') as `0x${string}`)
  if (question === undefined)
    throw new NodeError('The quote does not say which call it comes from.')
  const { connectors, gasPrice, isExact: exact } = question
  const trade = { chain: chainId, in: tokenIn, out: tokenOut, amountIn }
  const prepared = await prepareQuote(client, { ...trade, connectors, gasPrice, exact })
  const [plain, , ...override] = prepared.rpcRequest.params
  const { blockNumber, gas } = meta!.call!
  const params = [
    { ...(plain as { to: string; data: string }), gas },
    numberToHex(blockNumber),
    ...override,
  ]
  return { ...prepared, rpcRequest: { ...prepared.rpcRequest, params } }
}

async function askPrepared(
  ask: AskNode,
  prepared: PreparedQuote,
  { client, isOnDemand, registry }: NodeOptions,
): Promise<OwnQuote> {
  const chainId = Number(await ask('eth_chainId', []))
  if (chainId !== prepared.chainId)
    throw new NodeError(`Your node is of chain ${chainId}, the trade of chain ${prepared.chainId}.`)
  const result = String(await ask('eth_call', prepared.rpcRequest.params))
  const answer = { request: prepared.request, result }
  const isHere = isDeployed(registry, prepared.chainId)
  // A chain that makes blocks on demand may have an old latest block without being stale.
  const maxBlockAgeSec = isOnDemand ? Number.POSITIVE_INFINITY : undefined
  const quote = isHere
    ? decode(answer, { registry, maxBlockAgeSec })
    : await decodeQuote(client, answer)
  return { quote, prepared }
}

/** Without the service wherever the registry and the parameters allow it. */
export async function prepareAnywhere(
  parameters: QuoteParameters,
  { client, registry }: { client: Client; registry: Registry },
): Promise<PreparedQuote> {
  const isPlain = [parameters.in, parameters.out].every(
    (token) => Addresses.hasShape(token) || /^(ETH|WETH|USDC|SLU)$/i.test(token),
  )
  if (isPlain && isDeployed(registry, Number(parameters.chain)))
    return prepare(parameters, { registry })
  return await prepareQuote(client, parameters)
}

function isDeployed(registry: Registry, chainId: number): boolean {
  const quoter = registry.get(chainId)?.contracts.quoter
  return quoter !== undefined && !Addresses.equal(quoter, Addresses.zero)
}

/** How the node's quote stands to the service's. */
export function compare(
  own: DecodedQuote,
  served: Quote | undefined,
): 'same' | 'other block' | 'differs' | 'alone' {
  if (served === undefined) return 'alone'
  if (isSameOutcome(own, served)) return 'same'
  const block = served.meta?.blockNumber
  return block !== undefined && BigInt(block) === own.witness?.blockNumber
    ? 'differs'
    : 'other block'
}

/** What went wrong, for the reader. */
export function messageOf(error: unknown): string {
  if (error instanceof NodeError) return error.message
  // The service's own words are for whoever sends requests.
  if (error instanceof RpcRequiredError)
    return 'This service makes no quotes itself. Ask a node of your own, below: it computes the same quote. (rpc_required)'
  if (error instanceof BaseError) return `${error.shortMessage.replaceAll('`', '')} (${error.code})`
  return 'Something failed that this page did not expect.'
}
