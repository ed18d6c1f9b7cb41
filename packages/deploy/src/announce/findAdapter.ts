import { hubAbi } from '@sluice/abi'
import { Adapters, type Deployments } from '@sluice/domain'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  isAddressEqual,
  toFunctionSelector,
} from 'viem'
import { readChain } from '../check/readChain.js'
import { addressIn } from '../check/venueReads.js'
import { DeployError } from '../errors.js'
import type { Rpc } from '../rpc.js'

/** The adapter of Uniswap V4's pools with hooks, and the contracts that it asks. */
export type HooksAdapter = {
  readonly address: Address
  /** The PositionManager. */
  readonly registry: Address
  /** The PoolManager. */
  readonly manager: Address
}

/**
 * Finds the adapter among the venues of the chain's Hub. An adapter's address is that of its code, so that no other venue has it.
 *
 * @throws DeployError `NO_ADAPTER`
 */
export async function findAdapter(
  rpc: Rpc,
  { name, versions }: Deployments.ChainDeployments,
): Promise<HooksAdapter> {
  for (const hub of new Set(Object.values(versions).map((contracts) => contracts.hub))) {
    const venue = await findVenue(rpc, hub)
    if (venue === undefined) continue
    const read = { to: venue.address, data: toFunctionSelector('manager()') }
    const manager = addressIn((await readChain(rpc, [read], 'latest'))[0])
    if (manager !== undefined) return { ...venue, manager: getAddress(manager) }
  }
  throw new DeployError(
    'NO_ADAPTER',
    `The Hub on ${name} has no enabled venue with the adapter of Uniswap V4's pools with hooks. Its owner has to add one first.`,
  )
}

async function findVenue(
  rpc: Rpc,
  hub: Address,
): Promise<Omit<HooksAdapter, 'manager'> | undefined> {
  const abi = hubAbi
  const names = ['wrappedNative', 'venues'] as const
  const reads = names.map((functionName) => ({
    to: hub,
    data: encodeFunctionData({ abi, functionName }),
  }))
  const [wrapped, data] = await readChain(rpc, reads, 'latest')
  const wrappedNative = addressIn(wrapped)
  if (wrappedNative === undefined || data === undefined) return undefined
  const venues = decodeFunctionResult({ abi, functionName: 'venues', data })
  const found = venues.find(({ factory: registry, venue }) => {
    const adapter = { name: 'uniswapV4Hooks', registry } as const
    return (
      venue.enabled && isAddressEqual(venue.deployer, Adapters.addressOf(adapter, wrappedNative))
    )
  })
  return found && { address: found.venue.deployer, registry: found.factory }
}
