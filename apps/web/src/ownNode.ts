import { BaseError, type Quote, RpcRequiredError } from '@sluice/sdk'
import { type Outcome, repeatCall } from '@sluice/sdk/verify'
import { type AskNode, NodeError } from './askNode.js'
import { callOn, isDeployed } from './callOn.js'
import type { Boot } from './effects/boot.js'

/** What the reader's own node computes for the trade of a quote. */
export type Repeated = Outcome & {
  readonly witness?: { readonly blockNumber: bigint; readonly timestamp: bigint } | undefined
}

/**
 * Repeats the service's quote on the reader's own node: the very call that the quote says, on its block. The page checks the
 * answer itself where the protocol is deployed. Elsewhere the service prepares and decodes, because it knows the code that
 * the call brings along; the node alone still computes.
 *
 * @throws NodeError, or an error of the SDK that names the check that failed.
 */
export async function repeatOnOwnNode(
  ask: AskNode,
  served: Quote,
  options: Pick<Boot, 'client' | 'registry'>,
): Promise<Repeated> {
  const { chainId } = served
  if (!isDeployed(options.registry, chainId)) {
    const { repeatUndeployed } = await import('./askOwnNode.js')
    return await repeatUndeployed(ask, served, options.client)
  }
  // A chain that makes blocks on demand may have an old latest block without being stale.
  const maxBlockAgeSec = Number.POSITIVE_INFINITY
  const call = repeatCall(served, { ...options, maxBlockAgeSec })
  return call.read(await callOn(ask, chainId, call.params))
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
