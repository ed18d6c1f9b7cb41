import type { Rpc } from '@sluice/deploy'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { behaviours, type ChainSpec, standIns } from './chains.js'
import { fund } from './fund.js'
import { seederAbi } from './generated/seeder.js'
import { demandCode } from './installContracts.js'
import type { ListedSpec, PoolSpec } from './market.js'
import { seeder } from './placements.js'
import { createListed, isListed, joinListed, placeListed } from './seedListed.js'
import { sendInOneBlock, type Transaction } from './transactions.js'
import { creationCalls, poolAddress } from './venues.js'

/** What the development account gets: wrapped native token in wei, and each other token in US dollars. */
const accountWrappedNative = 20_000n * 10n ** 18n
const accountUsd = 20_000_000

const deposit = toFunctionSelector('deposit()')

const solidlyAbi = parseAbi([
  'function createPool(address tokenA, address tokenB, bool stable)',
  'function mint(address to)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])
/** The first swap on a pool sells the reserve divided by this. */
const firstSwapParts = 1_000_000n

/** Limits that keep a transaction within the gas limit. */
const pairsPerTransaction = 5
const poolsPerTransaction = 2

/** Configures the tokens, and wraps native coin for the account. */
export async function configureTokens(rpc: Rpc, chain: ChainSpec, account: Address): Promise<void> {
  const tokens = standIns(chain).map(({ address, symbol, decimals }) => ({
    token: address,
    symbol,
    decimals,
  }))
  await sendInOneBlock(rpc, [
    {
      from: account,
      to: seeder,
      data: encodeFunctionData({
        abi: seederAbi,
        functionName: 'configureTokens',
        args: [tokens],
      }),
    },
    { from: account, to: chain.wrappedNative, data: deposit, value: accountWrappedNative },
  ])
}

/** Creates the pools of configured tokens with their liquidity and funds the account. */
export async function seedMarket(
  rpc: Rpc,
  chain: ChainSpec,
  { pools, account }: { pools: readonly PoolSpec[]; account: Address },
): Promise<Address[]> {
  const call = (data: Hex): Transaction => ({ from: account, to: seeder, data })
  const tokens = standIns(chain)
  const funded = chain.tokens.filter(({ address }) => address !== chain.wrappedNative)
  const listed = await placeListed(rpc, pools)
  await sendInOneBlock(rpc, [
    ...createPools(chain, pools).map(call),
    ...createSolidly(chain, pools, account),
    ...createListed(listed, account),
  ])
  await sendInOneBlock(rpc, [
    ...(await joinListed(rpc, listed, account)),
    fund(account, {
      tokens: funded.map(({ address }) => address),
      to: account,
      amounts: funded.map(
        ({ usd, decimals }) => BigInt(Math.round(accountUsd / usd)) * 10n ** BigInt(decimals),
      ),
    }),
    // Last, because tokens that misbehave can no longer be put into pools.
    call(
      encodeFunctionData({
        abi: seederAbi,
        functionName: 'setBehaviours',
        args: [
          tokens.map(({ address }) => address),
          tokens.map(({ behaviour = 'plain' }) => behaviours.indexOf(behaviour)),
        ],
      }),
    ),
  ])
  const addresses = pools.map((pool) =>
    isListed(pool) ? listed.get(pool)! : poolAddress(chain, pool),
  )
  await demandCode(rpc, addresses)
  return addresses
}

/** Creates one pool with its liquidity on a chain that is already set up, from an account that the node signs for. */
export function poolTransactions(
  chain: ChainSpec,
  pool: Exclude<PoolSpec, ListedSpec>,
  account: Address,
): Transaction[] {
  const calls = createPools(chain, [pool]).map((data) => ({ from: account, to: seeder, data }))
  return [...calls, ...createSolidly(chain, [pool], account)]
}

/** Uses the factory's own calls; the tokens are sent to the pool first. */
function createSolidly(
  chain: ChainSpec,
  pools: readonly PoolSpec[],
  account: Address,
): Transaction[] {
  return pools
    .filter((spec) => spec.kind === 'solidly')
    .flatMap((spec): Transaction[] => {
      const { token0, token1, stable, amount0, amount1 } = spec
      const pool = poolAddress(chain, spec)
      const pair = [token0.address, token1.address] as const
      const give = (amounts: readonly [bigint, bigint]) =>
        fund(account, { tokens: pair, to: pool, amounts })
      const onPool = (data: Hex): Transaction => ({ from: account, to: pool, data })
      const swap = (out: readonly [bigint, bigint]) =>
        onPool(
          encodeFunctionData({
            abi: solidlyAbi,
            functionName: 'swap',
            args: [...out, seeder, '0x'],
          }),
        )
      return [
        {
          from: account,
          to: chain.solidly!.factory,
          data: encodeFunctionData({
            abi: solidlyAbi,
            functionName: 'createPool',
            args: [...pair, stable],
          }),
        },
        give([amount0, amount1]),
        onPool(encodeFunctionData({ abi: solidlyAbi, functionName: 'mint', args: [seeder] })),
        // A small swap in each direction, for half of its value, so that the pool has a trade history.
        give([amount0 / firstSwapParts, 0n]),
        swap([0n, amount1 / firstSwapParts / 2n]),
        give([0n, amount1 / firstSwapParts]),
        swap([amount0 / firstSwapParts / 2n, 0n]),
      ]
    })
}

function createPools(chain: ChainSpec, pools: readonly PoolSpec[]): Hex[] {
  const pairs = pools
    .filter((pool) => pool.kind === 'uniswapV2')
    .map(({ token0, token1, amount0, amount1 }) => ({
      factory: chain.v2Factory.address,
      token0: token0.address,
      token1: token1.address,
      amount0,
      amount1,
    }))
  const concentrated = pools
    .filter((pool) => pool.kind === 'uniswapV3')
    .map(({ token0, token1, feePips, sqrtPriceX96, ranges }) => ({
      factory: chain.v3Factory.address,
      token0: token0.address,
      token1: token1.address,
      fee: feePips,
      sqrtPriceX96,
      ranges,
    }))
  const ofManager = pools
    .filter((pool) => pool.kind === 'uniswapV4')
    .map(({ token0, token1, native, feePips, tickSpacing, sqrtPriceX96, ranges }) => ({
      manager: chain.uniswapV4.address,
      key: {
        currency0: native ? zeroAddress : token0.address,
        currency1: token1.address,
        fee: feePips,
        tickSpacing,
        hooks: zeroAddress,
      },
      sqrtPriceX96,
      ranges,
    }))
  const foreign = pools
    .filter(
      (pool) => pool.kind === 'pancakeV3' || pool.kind === 'slipstream' || pool.kind === 'algebra',
    )
    .map((pool) => {
      const calls = creationCalls(chain, pool)
      return {
        targets: calls.map(({ target }) => target),
        calls: calls.map(({ call }) => call),
        pool: poolAddress(chain, pool),
        token0: pool.token0.address,
        token1: pool.token1.address,
        namesSender: pool.kind === 'algebra',
        ranges: pool.ranges,
      }
    })
  return [
    ...chunks(ofManager, poolsPerTransaction).map((chunk) =>
      encodeFunctionData({ abi: seederAbi, functionName: 'createPoolsOfManager', args: [chunk] }),
    ),
    ...chunks(foreign, poolsPerTransaction).map((chunk) =>
      encodeFunctionData({ abi: seederAbi, functionName: 'createForeignPools', args: [chunk] }),
    ),
    ...chunks(concentrated, poolsPerTransaction).map((chunk) =>
      encodeFunctionData({ abi: seederAbi, functionName: 'createPools', args: [chunk] }),
    ),
    ...chunks(pairs, pairsPerTransaction).map((chunk) =>
      encodeFunctionData({ abi: seederAbi, functionName: 'createPairs', args: [chunk] }),
    ),
  ]
}

function chunks<item>(items: readonly item[], size: number): item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
