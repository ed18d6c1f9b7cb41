import { createRpc } from '@sluice/deploy'
import { type Hex, hexToNumber, numberToHex } from 'viem'
import { DevnetError } from '../errors.js'
import { startAnvil } from './anvil.js'
import type { ChainNode } from './ChainNode.js'
import { serveNode } from './serveNode.js'

/** Block gas limit, and so that of an `eth_call`: as on the development chains. */
const blockGasLimit = 100_000_000n
/** Anvil reads storage slot by slot from the node, so that a first quote takes minutes. */
const patienceMs = 300_000
/** Contract of Arbitrum's nodes alone. Without its code, contracts use the block of the EVM, which Anvil counts. */
const arbSys = '0x0000000000000000000000000000000000000064'

/** A running fork. */
export type Fork = ChainNode & {
  /** Latest block of the node when the fork began. */
  readonly forkBlock: number
}

/**
 * Starts an Anvil node that continues the chain of another node from its latest block. It mines a block for each transaction.
 *
 * @param options.url URL of the node. Anvil does not get it: a server on the loopback interface passes its requests on, so
 * that neither a message nor the list of processes shows it.
 * @throws DevnetError `FORK_FAILED`
 */
export async function startFork({ chainId, url }: { chainId: number; url: string }): Promise<Fork> {
  const forkBlock = await latestBlock(url, chainId)
  const relay = await serveNode(0, async (body) => await passOn(url, body))
  try {
    const fork = { url: relay.rpcUrl, blockNumber: forkBlock }
    const node = await startAnvil({ chainId, port: 0, fork })
    try {
      await node.rpc.batch([
        ['evm_setBlockGasLimit', [numberToHex(blockGasLimit)]],
        ['evm_setAutomine', [true]],
        ['hardhat_setCode', [arbSys, '0x']],
      ])
    } catch (error) {
      await node.stop()
      throw error
    }
    return {
      ...node,
      rpc: createRpc(node.rpcUrl, { timeoutMs: patienceMs }),
      forkBlock,
      async stop() {
        await node.stop()
        await relay.close()
      },
    }
  } catch (error) {
    await relay.close()
    throw error
  }
}

/** @throws DevnetError if the node does not answer, or is of another chain. */
async function latestBlock(url: string, chainId: number): Promise<number> {
  const [found, latest] = await createRpc(url).batch<Hex>([
    ['eth_chainId', []],
    ['eth_blockNumber', []],
  ])
  if (hexToNumber(found!) === chainId) return hexToNumber(latest!)
  throw new DevnetError(
    'FORK_FAILED',
    `The node to fork is on chain ${hexToNumber(found!)}, not on ${chainId}.`,
  )
}

async function passOn(url: string, body: string) {
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    return { status: answer.status, body: await answer.text() }
  } catch {
    // The cause is dropped because it may contain the URL.
    return { status: 502, body: '' }
  }
}
