import { describe, expect, test } from 'vitest'
import { tokens } from '../../test/deployments.js'
import * as PlanCall from '../plan/PlanCall.js'
import * as CallCommands from './CallCommands.js'

const question = {
  tokenIn: tokens.weth,
  tokenOut: tokens.usdc,
  amountIn: 5n,
  isExact: false,
  gasPrice: 0n,
  connectors: [],
} as const
const to = '0x00000000000000000000000000000000000000A1'

const commandsOf = (asked: PlanCall.PlanQuestion, more: object = {}) =>
  CallCommands.of(
    { to, data: PlanCall.encode(asked), gas: '0x1c9c380', blockNumber: 17n, ...more },
    asked,
  )

describe('CallCommands.of', () => {
  test('default: the call as curl and as cast, for the node in RPC_URL', () => {
    expect(commandsOf(question)).toEqual({
      curl: `curl -s -H 'content-type: application/json' --data '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"${to}","data":"${PlanCall.encode(question)}","gas":"0x1c9c380"},"0x11"]}' "$RPC_URL"`,
      cast: `cast call ${to} 'previewPlan(address,address,uint256)' ${tokens.weth} ${tokens.usdc} 5 --block 17 --gas-limit 30000000 --rpc-url "$RPC_URL"`,
    })
  })

  test('behavior: with the gas price and hints, and with state for a dry run', () => {
    const steered = {
      ...question,
      gasPrice: 9n,
      connectors: [tokens.weth, to],
      pools: [to, `0x${'ab'.repeat(32)}`],
      isExact: true,
    } as const
    const stateOverride = { [to]: { stateDiff: { '0x01': '0x02' } } } as const
    const { cast, curl } = commandsOf(steered, { stateOverride })
    expect(cast).toContain(
      `'previewPlanExact(address,address,uint256,(uint256,address[],uint256,uint256[]))' ${tokens.weth} ${tokens.usdc} 5 '(9,[${tokens.weth},${to}],0,[${BigInt(to)},${BigInt(`0x${'ab'.repeat(32)}`)}])' --block 17`,
    )
    expect(cast).toContain(` --override-state-diff ${to}:0x01:0x02 --rpc-url`)
    expect(curl).toContain(`"0x11",{"${to}":{"stateDiff":{"0x01":"0x02"}}}]}'`)
  })
})
