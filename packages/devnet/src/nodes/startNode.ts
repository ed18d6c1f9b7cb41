import type { Rpc } from '@sluice/deploy'
import { startAnvil } from './anvil.js'
import type { ChainNode, NodeKind, NodeOptions } from './ChainNode.js'
import { copyState } from './copyState.js'
import { startEdr } from './edr.js'
import { startGeth } from './geth.js'

const starters: Readonly<
  Record<Exclude<NodeKind, 'geth'>, (options: NodeOptions) => Promise<ChainNode>>
> = {
  anvil: startAnvil,
  'edr-prague': (options) => startEdr({ ...options, hardfork: 'Prague' }),
  'edr-osaka': (options) => startEdr({ ...options, hardfork: 'Osaka' }),
}

/**
 * Starts a node of the given implementation, and waits until it answers.
 *
 * @param options.install Puts contracts and balances on the fresh chain, with methods that only development nodes have.
 */
export async function startNode(
  kind: NodeKind,
  { install, ...options }: NodeOptions & { install: (rpc: Rpc) => Promise<void> },
): Promise<ChainNode> {
  if (kind === 'geth')
    return await startGeth({ ...options, accounts: await copyState(options.chainId, install) })
  const node = await starters[kind](options)
  try {
    await install(node.rpc)
    return node
  } catch (error) {
    await node.stop()
    throw error
  }
}
