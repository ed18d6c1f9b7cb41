import { uniswapV4HooksAdapterAbi } from '@sluice/abi'
import type { Deployments } from '@sluice/domain'
import { type Address, encodeFunctionData, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { OutgoingCall } from '../createSender.js'
import { DeployError } from '../errors.js'
import type * as PoolKey from '../PoolKey.js'
import type { Rpc } from '../rpc.js'
import { findAdapter } from './findAdapter.js'
import { findPoolKeys } from './findPoolKeys.js'
import { readKnown } from './readKnown.js'

/** What has to be sent so that an adapter knows pools. */
export type AnnouncementPlan = {
  readonly chainId: number
  /** Name of the chain. */
  readonly chain: string
  readonly adapter: Address
  /** In the order in which they were named, each once. */
  readonly pools: readonly PlannedPool[]
}

/** A pool that the adapter knows, or the call that announces it. */
export type PlannedPool =
  | { readonly pool: Hex; readonly knownBy: 'position' | 'announcement' }
  | { readonly pool: Hex; readonly call: OutgoingCall }

/**
 * Finds what has to be sent so that the adapter of Uniswap V4's pools with hooks knows these pools. Sends nothing.
 *
 * @throws DeployError `WRONG_CHAIN`, `NO_ADAPTER`, `NO_POOL`, `NO_HOOKS`, `NO_BLOCK` or `NO_LOGS`
 */
export async function planAnnouncements(
  rpc: Rpc,
  {
    deployments,
    fromBlock,
    onProgress,
    pools,
  }: {
    deployments: Deployments.Deployments
    /** Ids, in lower case. */
    pools: readonly Hex[]
    /** Block from which the creation of the pools is looked for. @default the newest ones first */
    fromBlock?: number | undefined
    onProgress?: ((text: string) => void) | undefined
  },
): Promise<AnnouncementPlan> {
  const chainId = Number(await rpc.request<Hex>('eth_chainId'))
  const chain = deployments.chains[chainId]
  if (chain === undefined)
    throw new DeployError(
      'WRONG_CHAIN',
      `The node is on chain ${chainId}, which the deployments file does not have.`,
    )
  const adapter = await findAdapter(rpc, chain)
  const ids = [...new Set(pools)]
  const known = await readKnown(rpc, adapter, ids)
  for (const [index, { exists, positionKey }] of known.entries()) {
    if (!exists) throw noPool(ids[index]!, adapter.manager)
    if (positionKey) demandHooks(ids[index]!, positionKey)
  }
  const unknown = ids.filter((_, index) => !known[index]!.isTradable)
  const where = { manager: adapter.manager, fromBlock, onProgress }
  const keys = await findPoolKeys(rpc, { ...where, pools: unknown })
  for (const [pool, key] of keys) demandHooks(pool, key)
  return {
    chainId,
    chain: chain.name,
    adapter: adapter.address,
    pools: ids.map((pool, index) => {
      const key = keys.get(pool)
      if (key !== undefined) return { pool, call: announcementOf(adapter.address, pool, key) }
      return { pool, knownBy: known[index]!.positionKey ? 'position' : 'announcement' }
    }),
  }
}

function announcementOf(to: Address, pool: Hex, key: PoolKey.PoolKey): OutgoingCall {
  const call = { abi: uniswapV4HooksAdapterAbi, functionName: 'announce', args: [key] } as const
  return { what: `the announcement of pool ${pool}`, to, data: encodeFunctionData(call) }
}

function demandHooks(pool: Hex, { hooks }: PoolKey.PoolKey): void {
  if (isAddressEqual(hooks, zeroAddress))
    throw new DeployError(
      'NO_HOOKS',
      `Pool ${pool} has no hooks. Only pools with hooks can be announced. Nothing was sent.`,
    )
}

function noPool(pool: Hex, manager: Address): DeployError {
  return new DeployError(
    'NO_POOL',
    `The PoolManager at ${manager} has no pool ${pool}. Check the id and the chain. Nothing was sent.`,
  )
}
