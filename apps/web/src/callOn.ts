import { Addresses } from '@sluice/domain'
import type { Registry } from '@sluice/sdk/verify'
import { type AskNode, NodeError } from './askNode.js'

/** Has a node of this chain make a call. @throws NodeError */
export async function callOn(
  ask: AskNode,
  chainId: number,
  params: readonly unknown[],
): Promise<string> {
  const own = Number(await ask('eth_chainId', []))
  if (own !== chainId)
    throw new NodeError(`Your node is of chain ${own}, the trade of chain ${chainId}.`)
  return String(await ask('eth_call', params))
}

/** Whether the protocol is deployed on a chain, so that a call needs no code of its own. */
export function isDeployed(registry: Registry, chainId: number): boolean {
  const quoter = registry.get(chainId)?.contracts.quoter
  return quoter !== undefined && !Addresses.equal(quoter, Addresses.zero)
}
