import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  zeroAddress,
} from 'viem'
import type { Hop } from './columns.js'
import { feeBps, type Rival } from './Rival.js'
import { v3Path, type Wiring } from './wiring.js'

const require = createRequire(import.meta.url)
const abi = parseAbi([
  'constructor(address factoryV2, address factoryV3, address positionManager, address weth9)',
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct Path { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInputSingle(Single params)',
  'function exactInput(Path params)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)',
  'function sweepTokenWithFee(address token, uint256 amountMinimum, uint256 feeBips, address feeRecipient)',
  'function multicall(uint256 deadline, bytes[] data)',
])
/** As the package's `Constants` says "this contract". */
const itself: Address = '0x0000000000000000000000000000000000000002'

/** Creation code of SwapRouter02 from its package, with the chain's contracts as arguments. */
export function swapRouter02Code({ wrappedNative, v2, v3 }: Wiring): Hex {
  const path =
    '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json'
  const { bytecode } = JSON.parse(readFileSync(require.resolve(path), 'utf8')) as { bytecode: Hex }
  return encodeDeployData({
    abi,
    bytecode,
    args: [v2.factory, v3.factory, zeroAddress, wrappedNative],
  })
}

/** Spends its allowance itself, and knows Uniswap V2 and V3. */
export function swapRouter02(address: Address): Rival {
  return {
    name: 'sr02',
    address,
    approvals: (token) => [
      {
        to: token,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [address, maxUint256],
        }),
      },
    ],
    encode({ amountIn, paths, tokenOut }, { deadline, feeRecipient, minOut }) {
      if (paths[0]![0]!.pool.kind === 'uniswapV4') return undefined
      const part = amountIn / BigInt(paths.length)
      const sweep = encodeFunctionData({
        abi,
        functionName: 'sweepTokenWithFee',
        args: [tokenOut, minOut, feeBps, feeRecipient],
      })
      const calls = [...paths.map((hops) => swapCall(hops, part)), sweep]
      return encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, calls] })
    },
  }
}

function swapCall(hops: readonly Hop[], amountIn: bigint): Hex {
  const { pool, tokenIn, tokenOut } = hops[0]!
  if (pool.kind === 'uniswapV2') {
    const tokens = [tokenIn, ...hops.map((hop) => hop.tokenOut)]
    return encodeFunctionData({
      abi,
      functionName: 'swapExactTokensForTokens',
      args: [amountIn, 0n, tokens, itself],
    })
  }
  if (hops.length > 1)
    return encodeFunctionData({
      abi,
      functionName: 'exactInput',
      args: [{ path: v3Path(hops), recipient: itself, amountIn, amountOutMinimum: 0n }],
    })
  return encodeFunctionData({
    abi,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn,
        tokenOut,
        fee: pool.feePips,
        recipient: itself,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      },
    ],
  })
}
