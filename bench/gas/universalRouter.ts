import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint160,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import type { Column, Hop } from './columns.js'
import { feeBps, type Rival, type Terms } from './Rival.js'
import { v3Path, type Wiring } from './wiring.js'

const require = createRequire(import.meta.url)
const permit2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const abi = parseAbi([
  'constructor((address permit2, address weth9, address v2Factory, address v3Factory, bytes32 pairInitCodeHash, bytes32 poolInitCodeHash, address v4PoolManager, address v3NFTPositionManager, address v4PositionManager, address spokePool))',
  'function execute(bytes commands, bytes[] inputs, uint256 deadline)',
])
const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

/** As the package's `Commands` and `ActionConstants`, and the `Actions` of v4-periphery, number them. */
const commands = {
  v3Swap: '0x00',
  sweep: '0x04',
  payPortion: '0x06',
  v2Swap: '0x08',
  v4Swap: '0x10',
} as const
const actions = {
  swapExactInSingle: '0x06',
  settleAll: '0x0c',
  takeAll: '0x0f',
  takePortion: '0x10',
} as const
const sender: Address = '0x0000000000000000000000000000000000000001'
const itself: Address = '0x0000000000000000000000000000000000000002'
const latest = 2 ** 48 - 1

type Command = readonly [command: Hex, input: Hex]

/** Creation code of Universal Router 2.1.0 from its package, with the chain's contracts as arguments. */
export function universalRouterCode({ wrappedNative, v2, v3, poolManager }: Wiring): Hex {
  const path =
    '@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json'
  const { bytecode } = JSON.parse(readFileSync(require.resolve(path), 'utf8')) as { bytecode: Hex }
  const parameters = {
    permit2,
    weth9: wrappedNative,
    v2Factory: v2.factory,
    v3Factory: v3.factory,
    pairInitCodeHash: v2.initCodeHash,
    poolInitCodeHash: v3.initCodeHash,
    v4PoolManager: poolManager,
    v3NFTPositionManager: zeroAddress,
    v4PositionManager: zeroAddress,
    spokePool: zeroAddress,
  }
  return encodeDeployData({ abi, bytecode, args: [parameters] })
}

/** Spends through Permit2, with allowances that were given before. */
export function universalRouter(address: Address): Rival {
  return {
    name: 'ur',
    address,
    approvals: (token) => [
      {
        to: token,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [permit2, maxUint256],
        }),
      },
      {
        to: permit2,
        data: encodeFunctionData({
          abi: permit2Abi,
          functionName: 'approve',
          args: [token, address, maxUint160, latest],
        }),
      },
    ],
    encode(column, terms) {
      const list = commandsOf(column, terms)
      const args = [
        concatHex(list.map(([command]) => command)),
        list.map(([, input]) => input),
        terms.deadline,
      ] as const
      return encodeFunctionData({ abi, functionName: 'execute', args })
    },
  }
}

function commandsOf(column: Column, terms: Terms): Command[] {
  const { amountIn, paths, tokenOut } = column
  if (paths[0]![0]!.pool.kind === 'uniswapV4') return [v4Command(column, paths[0]![0]!, terms)]
  const part = amountIn / BigInt(paths.length)
  const terse = (words: string, values: readonly unknown[]) =>
    encodeAbiParameters(parseAbiParameters(words), values as never)
  return [
    ...paths.map((hops): Command => {
      if (hops[0]!.pool.kind === 'uniswapV3')
        return [
          commands.v3Swap,
          terse('address, uint256, uint256, bytes, bool', [itself, part, 0n, v3Path(hops), true]),
        ]
      const tokens = [hops[0]!.tokenIn, ...hops.map((hop) => hop.tokenOut)]
      return [
        commands.v2Swap,
        terse('address, uint256, uint256, address[], bool', [itself, part, 0n, tokens, true]),
      ]
    }),
    [
      commands.payPortion,
      terse('address, address, uint256', [tokenOut, terms.feeRecipient, feeBps]),
    ],
    [commands.sweep, terse('address, address, uint256', [tokenOut, sender, terms.minOut])],
  ]
}

/** The PoolManager pays the fee and the trader itself. */
function v4Command({ amountIn }: Column, { pool, tokenIn, tokenOut }: Hop, terms: Terms): Command {
  const zeroForOne = tokenIn.toLowerCase() < tokenOut.toLowerCase()
  const [currency0, currency1] = zeroForOne ? [tokenIn, tokenOut] : [tokenOut, tokenIn]
  const key = { currency0, currency1, fee: pool.feePips, tickSpacing: 10, hooks: zeroAddress }
  const swap = encodeAbiParameters(
    parseAbiParameters([
      'Single single',
      'struct Single { Key key; bool zeroForOne; uint128 amountIn; uint128 amountOutMinimum; bytes hookData; }',
      'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
    ]),
    [{ key, zeroForOne, amountIn, amountOutMinimum: 0n, hookData: '0x' }],
  )
  const steps: Command[] = [
    [actions.swapExactInSingle, swap],
    [
      actions.settleAll,
      encodeAbiParameters(parseAbiParameters('address, uint256'), [tokenIn, amountIn]),
    ],
    [
      actions.takePortion,
      encodeAbiParameters(parseAbiParameters('address, address, uint256'), [
        tokenOut,
        terms.feeRecipient,
        feeBps,
      ]),
    ],
    [
      actions.takeAll,
      encodeAbiParameters(parseAbiParameters('address, uint256'), [tokenOut, terms.minOut]),
    ],
  ]
  return [
    commands.v4Swap,
    encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), [
      concatHex(steps.map(([action]) => action)),
      steps.map(([, input]) => input),
    ]),
  ]
}
