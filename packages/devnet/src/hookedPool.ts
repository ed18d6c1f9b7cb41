import type { Rpc } from '@sluice/deploy'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint128,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import type { ChainSpec } from './chains.js'
import { devHookDeployedBytecode } from './generated/devHook.js'
import type { Range } from './liquidity.js'
import { permit2 } from './placements.js'
import * as Published from './published.js'
import { sendInOneBlock, type Transaction } from './transactions.js'

/** Uniswap V4's PositionManager on Ethereum. It has kept the keys of all pools in which it ever held a position. */
export const positionManager: Address = '0xbD216513d74C8cf14cf4747E6AaA6420FF64ee9e'

/** Address of `DevHook`. Its lowest bits say that it is called before swaps. */
const hook: Address = '0x5105000000000000000000000000000000000080'

/** The fee of pools whose hook says it. */
export const dynamicFee = 0x800000
const tickSpacing = 60
const lastTick = 887_220
const deadline = 2n ** 40n
/** Gas for what subscribers of positions do. */
const subscriberGas = 300_000n
const [mintPosition, settle] = [numberToHex(2, { size: 1 }), numberToHex(11, { size: 1 })]

const abi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function initialize(PoolKey key, uint160 sqrtPriceX96) returns (int24)',
  'function modifyLiquidities(bytes unlockData, uint256 deadline) payable',
])
const keyParameters = parseAbiParameters([
  'PoolKey key',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
])
const mintParameters = parseAbiParameters([
  'PoolKey key, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address owner, bytes hookData',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
])

/** A pool with hooks. */
export type HookedSpec = {
  /** The currencies are in order; address zero is the native one. */
  readonly key: {
    readonly currency0: Address
    readonly currency1: Address
    readonly fee: number
    readonly tickSpacing: number
    readonly hooks: Address
  }
  readonly sqrtPriceX96: bigint
  readonly ranges: readonly Range[]
}

/** Puts the PositionManager at its real address, and `DevHook` where its flags are. */
export async function installHooked(rpc: Rpc, chain: ChainSpec, account: Address): Promise<void> {
  const parameters = parseAbiParameters('address, address, uint256, address, address')
  const creation = concatHex([
    Published.uniswapV4PositionManager(),
    encodeAbiParameters(parameters, [
      chain.uniswapV4.address,
      permit2,
      subscriberGas,
      zeroAddress,
      chain.wrappedNative,
    ]),
  ])
  // The constructor runs at the address itself.
  await rpc.request('hardhat_setCode', [positionManager, creation])
  const call = { from: account, to: positionManager }
  const runtime = await rpc.request<Hex>('eth_call', [call, 'latest'])
  await sendInOneBlock(rpc, [call])
  await rpc.batch([
    ['hardhat_setCode', [positionManager, runtime]],
    ['hardhat_setCode', [hook, devHookDeployedBytecode]],
  ])
}

/**
 * A pool with `DevHook` and these amounts at all prices.
 *
 * @param options.tokens In order of their addresses.
 */
export function poolWithDevHook({
  amounts: [amount0, amount1],
  tokens: [currency0, currency1],
}: {
  tokens: readonly [Address, Address]
  amounts: readonly [bigint, bigint]
}): HookedSpec {
  // Rounding may take a unit more than there is.
  const liquidity = squareRoot(amount0 * amount1) - 10n ** 6n
  return {
    key: { currency0, currency1, fee: dynamicFee, tickSpacing, hooks: hook },
    sqrtPriceX96: squareRoot((amount1 << 192n) / amount0),
    ranges: [{ tickLower: -lastTick, tickUpper: lastTick, liquidity }],
  }
}

/** Id of a pool. */
export function hookedPool({ key }: HookedSpec): Hex {
  return keccak256(encodeAbiParameters(keyParameters, [key]))
}

/** Creates a pool, whose tokens the PositionManager holds. */
export function createHookedPool(
  { key, ranges, sqrtPriceX96 }: HookedSpec,
  { account, manager }: { account: Address; manager: Address },
): Transaction[] {
  const initialize = encodeFunctionData({
    abi,
    functionName: 'initialize',
    args: [key, sqrtPriceX96],
  })
  const mints = ranges.map(({ liquidity, tickLower, tickUpper }) =>
    encodeAbiParameters(mintParameters, [
      ...([key, tickLower, tickUpper, liquidity, maxUint128, maxUint128] as const),
      ...([account, '0x'] as const),
    ]),
  )
  const settled = [key.currency0, key.currency1].map((currency) =>
    encodeAbiParameters(parseAbiParameters('address, uint256, bool'), [currency, 0n, false]),
  )
  const unlockData = encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), [
    concatHex([...mints.map(() => mintPosition), settle, settle]),
    [...mints, ...settled],
  ])
  const modify = encodeFunctionData({
    abi,
    functionName: 'modifyLiquidities',
    args: [unlockData, deadline],
  })
  return [
    { from: account, to: manager, data: initialize },
    { from: account, to: positionManager, data: modify },
  ]
}

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (let next = root; ; root = next) {
    next = (root + value / root) >> 1n
    if (next >= root) return root
  }
}
