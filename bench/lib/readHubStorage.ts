import { gunzipSync } from 'node:zlib'
import { deployGeneration, parseChainConfig } from '@sluice/deploy'
import type { Undeployed } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import { startNode } from './startNode.js'

type Dump = { accounts: Record<Address, { storage: Record<Hex, Hex> }> }

/** Deploys each chain config on a fresh node, and reads the storage of its Hub and of its Router. */
export async function readHubStorage(
  configs: readonly unknown[],
): Promise<readonly Undeployed.UndeployedChain[]> {
  const entries: Undeployed.UndeployedChain[] = []
  for (const content of configs) {
    const config = parseChainConfig(content)
    const node = await startNode(config.chainId)
    try {
      const { deployments } = await deployGeneration(node.rpc, { config })
      const chain = deployments.chains[config.chainId]!
      const { hub, router } = chain.versions['1.0.0']!
      const dumped = await node.rpc.request<Hex>('anvil_dumpState', [])
      const { accounts } = JSON.parse(
        gunzipSync(Buffer.from(dumped.slice(2), 'hex')).toString(),
      ) as Dump
      const storageOf = (address: Address) =>
        sorted((accounts[address.toLowerCase() as Address] ?? accounts[address]!).storage)
      const storage = { hub: storageOf(hub), router: storageOf(router) }
      const { versions, ...facts } = chain
      const adapters = config.venues.flatMap(({ adapter: name, factory: registry }) =>
        name === undefined ? [] : [{ name, registry }],
      )
      entries.push({ chainId: config.chainId, ...facts, adapters, storage })
    } finally {
      await node.stop()
    }
  }
  return entries.sort((a, b) => a.chainId - b.chainId)
}

function sorted(storage: Record<Hex, Hex>): Record<Hex, Hex> {
  const pad = (word: string): Hex => `0x${word.slice(2).padStart(64, '0')}`
  const slots = Object.entries(storage).map(([slot, value]) => [pad(slot), pad(value)] as const)
  return Object.fromEntries(slots.sort(([a], [b]) => (a < b ? -1 : 1)))
}
