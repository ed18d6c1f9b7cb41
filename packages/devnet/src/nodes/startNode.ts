import { startAnvil } from './anvil.js'
import type { ChainNode, NodeKind, NodeOptions } from './ChainNode.js'
import { startEdr } from './edr.js'

const starters: Readonly<Record<NodeKind, (options: NodeOptions) => Promise<ChainNode>>> = {
  anvil: startAnvil,
  'edr-prague': (options) => startEdr({ ...options, hardfork: 'Prague' }),
  'edr-osaka': (options) => startEdr({ ...options, hardfork: 'Osaka' }),
}

/** Starts a node of the given implementation, and waits until it answers. */
export function startNode(kind: NodeKind, options: NodeOptions): Promise<ChainNode> {
  return starters[kind](options)
}
