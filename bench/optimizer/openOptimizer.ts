import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Abi,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  size,
  slice,
} from 'viem'
import type { Network } from './networkOf.js'

export type Allocation = {
  flows: readonly bigint[]
  amountOut: bigint
  upperBound: bigint
  prices: readonly bigint[]
}

/** An optimizer on a development node. */
export type Optimizer = {
  optimize(
    network: Network,
    warmPrices?: readonly bigint[],
  ): Promise<{ allocation: Allocation; gas: number }>
  close(): void
}

const OPTIMIZER = '0x0000000000000000000000000000000000000f71'
const METER = '0x0000000000000000000000000000000000000f72'
/**
 * Code that forwards its input to `OPTIMIZER` and returns the used gas followed by the return data. If the call reverts,
 * it reverts with the same data.
 * CALLDATACOPY, GAS, STATICCALL, GAS; on failure REVERT with the data; else GAS difference, RETURNDATACOPY, RETURN.
 */
const METER_CODE: Hex =
  '0x365f5f375a5f5f365f610f715afa5a90601a573d5f5f3e3d5ffd5b90035f523d5f60203e3d6020015ff3'
const GAS_LIMIT = 500_000_000n

/**
 * Starts a node and calls the optimizer there with a code override, so it does not have to be deployed.
 *
 * @param artifact Path of the compiled contract.
 */
export async function openOptimizer(artifact: string, port: number): Promise<Optimizer> {
  const { abi, deployedBytecode } = JSON.parse(readFileSync(artifact, 'utf8')) as {
    abi: Abi
    deployedBytecode: { object: Hex }
  }
  const require = createRequire(import.meta.url)
  const binary = require.resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  const limits = ['--gas-limit', String(GAS_LIMIT), '--hardfork', 'cancun', '--prune-history']
  const node = spawn(binary, ['--port', String(port), '--silent', ...limits], { stdio: 'ignore' })
  const client = createPublicClient({
    transport: http(`http://127.0.0.1:${port}`, { timeout: 60_000 }),
  })
  await ready(() => client.getChainId())

  return {
    async optimize({ connectors, amountIn, edges, offsets }, warmPrices = []) {
      const args = [BigInt(connectors), amountIn, edges, offsets, warmPrices]
      const { data } = await client.call({
        to: METER,
        data: encodeFunctionData({ abi, functionName: 'optimize', args }),
        gas: GAS_LIMIT,
        stateOverride: [
          { address: OPTIMIZER, code: deployedBytecode.object },
          { address: METER, code: METER_CODE },
        ],
      })
      if (!data || size(data) < 64) throw new Error('The optimizer returned nothing.')
      const result = decodeFunctionResult({ abi, functionName: 'optimize', data: slice(data, 32) })
      return { allocation: result as Allocation, gas: Number(BigInt(slice(data, 0, 32))) }
    },
    close() {
      node.kill()
    },
  }
}

async function ready(probe: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await probe()
      return
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
