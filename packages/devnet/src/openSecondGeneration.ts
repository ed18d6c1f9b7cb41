import { deployGeneration, mergeDeployments, type Rpc } from '@sluice/deploy'
import type { Deployments } from '@sluice/domain'
import type { Address } from 'viem'
import type { ChainSpec } from './chains.js'
import type { FurnishedChain } from './furnishChain.js'
import { tradeOnGenerations } from './tradeOnGenerations.js'

/** Deploys 2.0.0 alongside 1.0.0 if the chain has the protocol's token, and makes some swaps on both. */
export async function openSecondGeneration(
  rpc: Rpc,
  spec: ChainSpec,
  first: Pick<FurnishedChain, 'config' | 'deployments'> & { account: { address: Address } },
): Promise<Deployments.Deployments> {
  if (spec.slu === null) return first.deployments
  const second = await deployGeneration(rpc, { config: first.config, version: '2.0.0' })
  const deployments = mergeDeployments(first.deployments, second.deployments)
  const { versions } = deployments.chains[spec.chainId]!
  await tradeOnGenerations(rpc, spec, { account: first.account.address, versions })
  return deployments
}
