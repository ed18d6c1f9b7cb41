import { type Address, type Hex, numberToHex } from 'viem'
import * as PlanCall from '../plan/PlanCall.js'
import * as Preparation from '../prepare/Preparation.js'
import type { StateOverride } from '../registry/StateOverride.js'

/** The call of a quote, with its block. */
export type BlockCall = {
  readonly to: Address
  readonly data: Hex
  readonly gas: Hex
  readonly blockNumber: bigint
  readonly stateOverride?: StateOverride | undefined
}

/** Shell commands that repeat the call on the node in `RPC_URL`. */
export type Commands = { readonly curl: string; readonly cast: string }

/**
 * Writes the call of a quote as shell commands.
 *
 * @param question What the call asks.
 */
export function of(call: BlockCall, question: PlanCall.PlanQuestion): Commands {
  const { blockNumber, data, gas, stateOverride, to } = call
  const params = [{ to, data, gas }, numberToHex(blockNumber)]
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: stateOverride === undefined ? params : [...params, stateOverride],
  }
  const signature = PlanCall.signatureOf(question)
  const { amountIn, tokenIn, tokenOut } = question
  const { connectors, excludedVenues, gasPrice, pools } = PlanCall.optionsOf(question)
  const options = signature.includes(',(')
    ? ` '(${gasPrice},[${connectors.join(',')}],${excludedVenues},[${pools.join(',')}])'`
    : ''
  const overrides = overridesOf(stateOverride).map((each) => ` --override-${each}`)
  const cast = [
    `cast call ${to} '${signature}' ${tokenIn} ${tokenOut} ${amountIn}${options}`,
    `--block ${blockNumber} --gas-limit ${BigInt(gas)}${overrides.join('')} --rpc-url "$RPC_URL"`,
  ].join(' ')
  return { curl: Preparation.curlOf(request), cast }
}

function overridesOf(stateOverride: StateOverride = {}): readonly string[] {
  return Object.entries(stateOverride).flatMap(([account, { balance, stateDiff = {} }]) => [
    ...(balance === undefined ? [] : [`balance ${account}:${BigInt(balance)}`]),
    ...Object.entries(stateDiff).map(([slot, value]) => `state-diff ${account}:${slot}:${value}`),
  ])
}
