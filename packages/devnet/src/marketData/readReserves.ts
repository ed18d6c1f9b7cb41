import type { Rpc } from '@sluice/deploy'
import {
  type Address,
  concatHex,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import type { Range } from '../liquidity.js'
import type { BalancerSpec, PoolSpec } from '../market.js'

/** A pool with its address. */
export type PlacedPool = { readonly spec: ReportedSpec; readonly address: Address }

/** All pools except Balancer's: the Vault holds their tokens, and Dexscreener identifies them by the Vault's ids. */
export type ReportedSpec = Exclude<PoolSpec, BalancerSpec>

/** Reserves of a pool, and its price of token0 in token1, all in base units. */
export type Reserves = {
  readonly reserve0: number
  readonly reserve1: number
  readonly price: number
}

type Reading = { calls: readonly { to: Address; data: Hex }[]; read: (answers: Hex[]) => Reserves }

const stateAbi = parseAbi([
  'function extsload(bytes32 slot) view returns (bytes32)',
  'function balances(uint256 index) view returns (uint256)',
])
/** Storage slot of the mapping of pools in Uniswap V4's PoolManager. */
const poolsSlot = numberToHex(6, { size: 32 })

/** Reads the current reserves of pools with one request to the node, and returns them in the same order. */
export async function readReserves(rpc: Rpc, pools: readonly PlacedPool[]): Promise<Reserves[]> {
  const readings = pools.map(readingOf)
  const answers = await rpc.batch<Hex>(
    readings.flatMap(({ calls }) => calls.map((call) => ['eth_call', [call, 'latest']] as const)),
  )
  return readings.map(({ calls, read }) => read(answers.splice(0, calls.length)))
}

function readingOf(pool: PlacedPool): Reading {
  const { address, spec } = pool
  switch (spec.kind) {
    case 'uniswapV2':
    case 'solidly':
      return {
        calls: [{ to: address, data: toFunctionSelector('getReserves()') }],
        read(answers) {
          const [reserve0, reserve1] = wordsOf(answers[0]!)
          const isStable = spec.kind === 'solidly' && spec.stable
          const price = isStable ? usualPrice(spec) : reserve1! / reserve0!
          return { reserve0: reserve0!, reserve1: reserve1!, price }
        },
      }
    case 'curve':
      return {
        calls: [0n, 1n].map((index) => ({
          to: address,
          data: encodeFunctionData({ abi: stateAbi, functionName: 'balances', args: [index] }),
        })),
        read: ([balance0, balance1]) => ({
          reserve0: wordOf(balance0!),
          reserve1: wordOf(balance1!),
          price: usualPrice(spec),
        }),
      }
    case 'uniswapV4': {
      const slot = keccak256(concatHex([idOf(spec), poolsSlot]))
      const data = encodeFunctionData({ abi: stateAbi, functionName: 'extsload', args: [slot] })
      return {
        calls: [{ to: address, data }],
        read: (answers) => inRanges(rootOf(answers[0]!), spec.ranges),
      }
    }
    case 'uniswapV3':
    case 'pancakeV3':
    case 'slipstream':
    case 'algebra': {
      const state = spec.kind === 'algebra' ? 'globalState()' : 'slot0()'
      return {
        calls: [...balanceCalls(pool), { to: address, data: toFunctionSelector(state) }],
        read([balance0, balance1, price]) {
          const root = rootOf(price!)
          return { reserve0: wordOf(balance0!), reserve1: wordOf(balance1!), price: root ** 2 }
        },
      }
    }
  }
}

function balanceCalls({ address, spec }: PlacedPool) {
  return [spec.token0, spec.token1].map((token) => ({
    to: token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
  }))
}

/** Id of a pool of Uniswap V4. */
export function idOf(spec: Extract<PoolSpec, { kind: 'uniswapV4' }>): Hex {
  const { feePips, native, tickSpacing, token0, token1 } = spec
  const currency0 = native ? zeroAddress : token0.address
  return keccak256(
    encodeAbiParameters(
      [
        { type: 'address' },
        { type: 'address' },
        { type: 'uint24' },
        { type: 'int24' },
        { type: 'address' },
      ],
      [currency0, token1.address, feePips, tickSpacing, zeroAddress],
    ),
  )
}

/**
 * Amounts that positions hold at a price. Liquidity L over [a, b] with the price p inside holds
 * L (1/sqrt p - 1/sqrt b) of token0 and L (sqrt p - sqrt a) of token1 (Uniswap V3 white paper).
 */
function inRanges(root: number, ranges: readonly Range[]): Reserves {
  let [reserve0, reserve1] = [0, 0]
  for (const { liquidity, tickLower, tickUpper } of ranges) {
    const [lower, upper] = [1.0001 ** (tickLower / 2), 1.0001 ** (tickUpper / 2)]
    const inside = Math.min(Math.max(root, lower), upper)
    reserve0 += Number(liquidity) * (1 / inside - 1 / upper)
    reserve1 += Number(liquidity) * (inside - lower)
  }
  return { reserve0, reserve1, price: root ** 2 }
}

/** Reads the square root of the price from a word: its low 160 bits, in Q64.96. */
function rootOf(answer: Hex): number {
  return Number(BigInt(answer.slice(0, 66)) & ((1n << 160n) - 1n)) / 2 ** 96
}

function usualPrice({ token0, token1 }: PoolSpec): number {
  return token0.usd / 10 ** token0.decimals / (token1.usd / 10 ** token1.decimals)
}

function wordOf(answer: Hex): number {
  return Number(BigInt(answer))
}

function wordsOf(answer: Hex): number[] {
  const pair = [{ type: 'uint256' }, { type: 'uint256' }] as const
  return decodeAbiParameters(pair, answer).map(Number)
}
