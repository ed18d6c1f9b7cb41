import { creationAddress } from '@sluice/deploy'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import type { ChainSpec } from '../chains.js'
import { devClPoolManagerAbi, devClPoolManagerBytecode } from '../generated/devClPoolManager.js'
import {
  devClPositionManagerAbi,
  devClPositionManagerBytecode,
} from '../generated/devClPositionManager.js'
import { devInfinityVaultBytecode } from '../generated/devInfinityVault.js'
import { nestedRanges, sqrtPriceX96 } from '../liquidity.js'
import { sorted, unitUsd } from '../market.js'
import * as Published from '../published.js'
import { createRandom } from '../random.js'
import type { Transaction } from '../transactions.js'
import { create, type Imitation, tokenOf, worth } from './Imitation.js'

type Spec = {
  /** The first is the wrapped native token if the pool is of the native currency. */
  readonly tokens: readonly [string, string]
  readonly isNative: boolean
  readonly fee: number
  readonly tickSpacing: number
  /** Value of both sides on a chain of depth 1. */
  readonly usd: number
}

/** Both are of common tiers, so that the adapter finds them by their ids. */
const specs: readonly Spec[] = [
  { tokens: ['WETH', 'cbETH'], isNative: true, fee: 500, tickSpacing: 10, usd: 4e6 },
  { tokens: ['AERO', 'USDC'], isNative: false, fee: 2500, tickSpacing: 50, usd: 2e6 },
]
/** Where the tick spacing is in a key's parameters. */
const spacingShift = 16n
const keyParameters = parseAbiParameters([
  'Key key',
  'struct Key { address currency0; address currency1; address hooks; address poolManager; uint24 fee; bytes32 parameters; }',
])

/** PancakeSwap Infinity, with a pool of the native currency and another one. */
export const infinity: Imitation = {
  id: 'pancakeswap-infinity',
  registry: () => creationAddress(registryCreation()),
  open(chain, account) {
    const opened = specs.map((spec) => openPool(chain, spec, account))
    const codes: readonly Hex[] = [
      engineCreation(),
      devInfinityVaultBytecode,
      managerCreation(),
      registryCreation(),
    ]
    return {
      pools: opened.map(({ pool }) => pool),
      transactions: [
        ...codes.map((code) => create(account, code)),
        ...opened.flatMap(({ transactions }) => transactions),
      ],
    }
  },
}

function openPool(
  chain: ChainSpec,
  { fee, isNative, tickSpacing, tokens: [a, b], usd }: Spec,
  from: Address,
): { readonly pool: Hex; readonly transactions: readonly Transaction[] } {
  const pair = [tokenOf(chain, a), tokenOf(chain, b)] as const
  const [token0, token1] = isNative ? pair : sorted(...pair)
  const manager = creationAddress(managerCreation())
  const registry = creationAddress(registryCreation())
  const key = {
    currency0: isNative ? zeroAddress : token0.address,
    currency1: token1.address,
    hooks: zeroAddress,
    poolManager: manager,
    fee,
    parameters: numberToHex(BigInt(tickSpacing) << spacingShift, { size: 32 }),
  }
  const price = unitUsd(token0) / unitUsd(token1)
  const value = usd * chain.depth
  const ranges = nestedRanges(createRandom(fee), {
    ...{ price, tickSpacing, value: value / unitUsd(token1) },
    ...{ count: 4, narrowest: 1.012, widest: 4 },
  })
  const initialize = encodeFunctionData({
    abi: devClPoolManagerAbi,
    functionName: 'initialize',
    args: [key, sqrtPriceX96(price)],
  })
  const adds = ranges.map(({ liquidity, tickLower, tickUpper }) =>
    encodeFunctionData({
      abi: devClPositionManagerAbi,
      functionName: 'add',
      args: [key, tickLower, tickUpper, liquidity],
    }),
  )
  return {
    pool: keccak256(encodeAbiParameters(keyParameters, [key])),
    transactions: [
      { from, to: manager, data: initialize },
      ...(isNative ? [{ from, to: registry, value: worth(value, token0) }] : []),
      ...adds.map((data) => ({ from, to: registry, data })),
    ],
  }
}

/** Uniswap V4's PoolManager without an owner, which computes the swaps. */
function engineCreation(): Hex {
  return concatHex([Published.uniswapV4PoolManager(), pad(zeroAddress)])
}

function managerCreation(): Hex {
  return concatHex([
    devClPoolManagerBytecode,
    pad(creationAddress(engineCreation())),
    pad(creationAddress(devInfinityVaultBytecode)),
  ])
}

function registryCreation(): Hex {
  return concatHex([devClPositionManagerBytecode, pad(creationAddress(managerCreation()))])
}
