import { type Hex, hexToNumber } from 'viem'
import { DeployError } from '../errors.js'
import type { ChainConfig } from '../parseChainConfig.js'
import type { Rpc } from '../rpc.js'

/**
 * Demands that the node serves the chain of the config.
 *
 * @returns Number of the latest block, which all calls can name.
 * @throws DeployError `WRONG_CHAIN`
 */
export async function demandChain(rpc: Rpc, config: ChainConfig): Promise<Hex> {
  const [chainId, latest] = await rpc.batch<Hex>([
    ['eth_chainId', []],
    ['eth_blockNumber', []],
  ])
  if (hexToNumber(chainId!) !== config.chainId)
    throw new DeployError(
      'WRONG_CHAIN',
      `The config is for chain ${config.chainId}, but the node is on chain ${hexToNumber(chainId!)}.`,
    )
  return latest!
}
