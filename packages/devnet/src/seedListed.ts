import { creationAddress, creationCall, deterministicDeployer, type Rpc } from '@sluice/deploy'
import { VenueKind } from '@sluice/domain'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import {
  balancerFactory,
  balancerPoolAbi,
  balancerVault,
  createPoolCall,
  joinCall,
} from './balancer.js'
import { fund } from './fund.js'
import { devPoolRegistryAbi, devPoolRegistryBytecode } from './generated/devPoolRegistry.js'
import { devStableSwapBytecode } from './generated/devStableSwap.js'
import { type ListedSpec, type PoolSpec, venueKindOf } from './market.js'
import { poolRegistry } from './placements.js'
import type { Transaction } from './transactions.js'

/** Pools whose addresses cannot be derived, with the addresses that they will get. */
export type ListedPools = ReadonlyMap<PoolSpec, Address>

const curveAbi = parseAbi(['function seed()'])

/** Returns the addresses that the listed pools will get from their factories, which create them in order. */
export async function placeListed(rpc: Rpc, pools: readonly PoolSpec[]): Promise<ListedPools> {
  const listed = pools.filter(isListed)
  const places = new Map<PoolSpec, Address>()
  for (const kind of ['balancerWeighted', 'balancerStable'] as const) {
    const ofKind = listed.filter((pool) => pool.kind === kind)
    if (ofKind.length === 0) continue
    const from = balancerFactory(kind)
    const [nonce] = await rpc.batch<Hex>([['eth_getTransactionCount', [from, 'latest']]])
    for (const [index, pool] of ofKind.entries())
      places.set(pool, getContractAddress({ from, nonce: BigInt(nonce!) + BigInt(index) }))
  }
  for (const pool of listed)
    if (pool.kind === 'curve') places.set(pool, creationAddress(curveCreation(pool)))
  return places
}

/** Creates the listed pools, and gives them their tokens if nothing else is needed. */
export function createListed(listed: ListedPools, account: Address): Transaction[] {
  const pools = [...listed].flatMap(([spec, address]): Transaction[] => {
    const pool = spec as ListedSpec
    if (pool.kind !== 'curve')
      return [
        { from: account, to: balancerFactory(pool.kind), data: createPoolCall(pool, account) },
      ]
    return [
      { from: account, to: deterministicDeployer, data: creationCall(curveCreation(pool)) },
      fundAll(pool, address, account),
      {
        from: account,
        to: address,
        data: encodeFunctionData({ abi: curveAbi, functionName: 'seed' }),
      },
    ]
  })
  return [...pools, ...register(listed, account)]
}

/** Creates the registry and adds its pools, if there are any. */
function register(listed: ListedPools, account: Address): Transaction[] {
  const added = [...listed].flatMap(([spec, address]): Transaction[] => {
    const pool = spec as ListedSpec
    if (!pool.isRegistered || pool.kind !== 'curve') return []
    const tokens = pool.tokens.map((token) => token.address)
    const args = [address, tokens] as const
    const data = encodeFunctionData({ abi: devPoolRegistryAbi, functionName: 'add', args })
    return [{ from: account, to: poolRegistry, data }]
  })
  if (added.length === 0) return []
  const data = creationCall(devPoolRegistryBytecode)
  return [{ from: account, to: deterministicDeployer, data }, ...added]
}

/** Gives Balancer's pools their tokens. Their ids are known only after creation. */
export async function joinListed(
  rpc: Rpc,
  listed: ListedPools,
  account: Address,
): Promise<Transaction[]> {
  const joined = [...listed].filter(([{ kind }]) => kind !== 'curve')
  const data = encodeFunctionData({ abi: balancerPoolAbi, functionName: 'getPoolId' })
  const ids = await rpc.batch<Hex>(
    joined.map(([, to]) => ['eth_call', [{ to, data }, 'latest']] as const),
  )
  return joined.flatMap(([spec, pool], index) => {
    const listedSpec = spec as ListedSpec
    const approvals = listedSpec.tokens.map(
      ({ address }, at): Transaction => ({
        from: account,
        to: address,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [balancerVault, listedSpec.amounts[at]!],
        }),
      }),
    )
    const join = joinCall(listedSpec, { pool, poolId: ids[index]!, owner: account })
    return [
      fundAll(listedSpec, account, account),
      ...approvals,
      { from: account, to: balancerVault, data: join },
    ]
  })
}

export function isListed(pool: PoolSpec): pool is ListedSpec {
  return VenueKind.has(venueKindOf(pool), 'listed')
}

/** Gives an address all tokens of a pool. */
function fundAll({ amounts, tokens }: ListedSpec, to: Address, account: Address): Transaction {
  return fund(account, { tokens: tokens.map(({ address }) => address), to, amounts })
}

function curveCreation({ tokens, amplification, feePips }: ListedSpec): Hex {
  const addresses = tokens.map(({ address }) => address)
  return concatHex([
    devStableSwapBytecode,
    encodeAbiParameters(parseAbiParameters('address[], uint256, uint256'), [
      addresses,
      BigInt(amplification),
      BigInt(feePips) * 10n ** 4n,
    ]),
  ])
}
