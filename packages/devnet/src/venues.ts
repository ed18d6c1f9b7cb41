import { deterministicDeployer } from '@sluice/deploy'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
} from 'viem'
import { balancerFactory, balancerVault } from './balancer.js'
import { balancerV3Vault } from './balancerV3.js'
import type { ChainSpec } from './chains.js'
import { positionManager } from './hookedPool.js'
import type { ListedSpec, PoolSpec } from './market.js'
import { initCodeHashes, poolRegistry } from './placements.js'
import { convertersOf } from './seedConverters.js'
import { imitatedVenues } from './seedImitations.js'

/** The chain's venues on the devnet, in the format of a config file. */
export function venuesOf(chain: ChainSpec): object[] {
  const {
    v2Factory,
    v3Factory,
    pancakeV3,
    slipstream,
    algebra,
    uniswapV4,
    solidly,
    hasHinted,
    hasListed,
    hasRegistry,
  } = chain
  return [
    { id: 'uniswap-v2', kind: 'uniswapV2', factory: v2Factory.address },
    { id: 'uniswap-v3', kind: 'uniswapV3', factory: v3Factory.address },
    { id: 'uniswap-v4', kind: 'uniswapV4', factory: uniswapV4.address },
    pancakeV3 && {
      id: 'pancakeswap-v3',
      kind: 'uniswapV3',
      factory: pancakeV3.factory,
      deployer: pancakeV3.deployer,
      initCodeHash: initCodeHashes.pancakeV3,
      tiers: [
        { fee: 500, tickSpacing: 10 },
        { fee: 2500, tickSpacing: 50 },
      ],
      callback: 'pancakeV3SwapCallback',
    },
    slipstream && {
      id: slipstream.id,
      kind: 'slipstream',
      factory: slipstream.factory,
      initCodeHash: cloneHash(slipstream.implementation),
      tiers: [{ tickSpacing: 100 }],
    },
    solidly && {
      id: solidly.id,
      kind: 'solidly',
      factory: solidly.factory,
      initCodeHash: cloneHash(solidly.implementation),
    },
    algebra && {
      id: 'algebra-integral',
      kind: 'algebra',
      factory: algebra.factory,
      deployer: algebra.deployer,
      initCodeHash: initCodeHashes.algebra,
      unlockedWord: 5,
    },
    hasListed && { id: listedVenues.curve, kind: 'curve', factory: deterministicDeployer },
    hasRegistry && {
      id: 'curve-registry',
      kind: 'adapter',
      adapter: 'curveStable',
      factory: poolRegistry,
    },
    hasHinted && {
      id: 'balancer-v2-factory',
      kind: 'adapter',
      adapter: 'balancerV2',
      factory: balancerFactory('balancerWeighted'),
    },
    hasHinted && {
      id: 'balancer-v3',
      kind: 'adapter',
      adapter: 'balancerV3',
      factory: balancerV3Vault,
    },
    hasHinted && {
      id: 'uniswap-v4-hooks',
      kind: 'adapter',
      adapter: 'uniswapV4Hooks',
      factory: positionManager,
    },
    ...(['balancerWeighted', 'balancerStable'] as const).map(
      (kind) =>
        hasListed && {
          id: listedVenues[kind],
          kind,
          factory: balancerFactory(kind),
          deployer: balancerVault,
        },
    ),
    ...converterEntries(chain),
    ...imitatedVenues(chain),
  ].filter((venue) => venue !== undefined && venue !== false)
}

function converterEntries(chain: ChainSpec): object[] {
  if (!chain.hasConverters) return []
  const { daiUsds, litePsm } = convertersOf(chain)
  const kind = 'adapter'
  return [
    { id: converterVenues.daiUsds, kind, adapter: 'daiUsds', factory: daiUsds },
    { id: converterVenues.litePsm, kind, adapter: 'litePsm', factory: litePsm },
    { id: converterVenues.vault, kind, adapter: 'erc4626', factory: chain.wrappedNative },
  ]
}

/** Venue id for each kind of converter. */
export const converterVenues = {
  daiUsds: 'sky-dai-usds',
  litePsm: 'sky-lite-psm',
  vault: 'erc4626-vaults',
} as const

/** Address at which the venue's factory creates the pool; the PoolManager for pools of Uniswap V4. */
export function poolAddress(chain: ChainSpec, pool: Exclude<PoolSpec, ListedSpec>): Address {
  const pair = [pool.token0.address, pool.token1.address] as const
  const keyed = (type: 'uint24' | 'int24', key: number) =>
    keccak256(
      encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type }], [...pair, key]),
    )
  const created = (from: Address, salt: Hex, bytecodeHash: Hex) =>
    getCreate2Address({ from, salt, bytecodeHash })
  switch (pool.kind) {
    case 'uniswapV2':
      return created(
        chain.v2Factory.address,
        keccak256(encodePacked(['address', 'address'], pair)),
        initCodeHashes.uniswapV2,
      )
    case 'uniswapV3':
      return created(
        chain.v3Factory.address,
        keyed('uint24', pool.feePips),
        initCodeHashes.uniswapV3,
      )
    case 'pancakeV3':
      return created(
        chain.pancakeV3!.deployer,
        keyed('uint24', pool.feePips),
        initCodeHashes.pancakeV3,
      )
    case 'slipstream':
      return created(
        chain.slipstream!.factory,
        keyed('int24', pool.tickSpacing),
        cloneHash(chain.slipstream!.implementation),
      )
    case 'algebra':
      return created(
        chain.algebra!.deployer,
        keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }], pair)),
        initCodeHashes.algebra,
      )
    case 'solidly':
      return created(
        chain.solidly!.factory,
        keccak256(encodePacked(['address', 'address', 'bool'], [...pair, pool.stable])),
        cloneHash(chain.solidly!.implementation),
      )
    case 'uniswapV4':
      return chain.uniswapV4.address
  }
}

const factoryAbi = parseAbi([
  'function createPool(address tokenA, address tokenB, uint24 fee)',
  'function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160 sqrtPriceX96)',
  'function createPool(address tokenA, address tokenB, bytes data)',
  'function initialize(uint160 sqrtPriceX96)',
])

/** Calls that create and initialize a pool whose factory the Seeder does not support. */
export function creationCalls(
  chain: ChainSpec,
  pool: Extract<PoolSpec, { kind: 'pancakeV3' | 'slipstream' | 'algebra' }>,
): { target: Address; call: Hex }[] {
  const { token0, token1, sqrtPriceX96 } = pool
  const pair = [token0.address, token1.address] as const
  const initialize = {
    target: poolAddress(chain, pool),
    call: encodeFunctionData({
      abi: factoryAbi,
      functionName: 'initialize',
      args: [sqrtPriceX96],
    }),
  }
  switch (pool.kind) {
    case 'slipstream':
      return [
        {
          target: chain.slipstream!.factory,
          call: createPool([...pair, pool.tickSpacing, sqrtPriceX96]),
        },
      ]
    case 'pancakeV3':
      return [
        { target: chain.pancakeV3!.factory, call: createPool([...pair, pool.feePips]) },
        initialize,
      ]
    case 'algebra':
      return [{ target: chain.algebra!.factory, call: createPool([...pair, '0x']) }, initialize]
  }
}

function createPool(
  args:
    | readonly [Address, Address, number]
    | readonly [Address, Address, number, bigint]
    | readonly [Address, Address, Hex],
): Hex {
  return encodeFunctionData({ abi: factoryAbi, functionName: 'createPool', args })
}

/** Hash of the creation code of an EIP-1167 clone. */
function cloneHash(implementation: Address): Hex {
  return keccak256(
    concatHex([
      '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
      implementation,
      '0x5af43d82803e903d91602b57fd5bf3',
    ]),
  )
}

/** Venue id for each kind of listed pools. */
export const listedVenues = {
  curve: 'curve',
  balancerWeighted: 'balancer-v2-weighted',
  balancerStable: 'balancer-v2-stable',
} as const satisfies Record<ListedSpec['kind'], string>
