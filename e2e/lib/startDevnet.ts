import {
  type Devnet,
  type NodeKind,
  nodeKinds,
  type StartDevnetOptions,
  startDevnet as start,
} from '@sluice/devnet'
import type { ServerConfig } from '@sluice/server'

/** What the suites run on: `E2E_NODE`, one of the devnet's kinds of nodes. */
export const nodeKind: NodeKind = readNodeKind(process.env['E2E_NODE'] || 'anvil')

/** The devnet, on the node that the suites run on. */
export function startDevnet(options: StartDevnetOptions): Promise<Devnet> {
  return start({ ...options, node: nodeKind })
}

/**
 * What a suite gives its service. A machine that is busy with other tests is no overload. EDR traces every call, which takes
 * twenty times as long as the call, and runs those of a batch one after the other.
 */
export const patience: Pick<ServerConfig, 'maxLoopDelayMs' | 'nodeTimes'> = {
  maxLoopDelayMs: 0,
  nodeTimes: nodeKind === 'anvil' ? undefined : { preview: 30_000, exact: 30_000 },
}

/** An unknown name must not pass for a run on that node. */
function readNodeKind(name: string): NodeKind {
  const kind = nodeKinds.find((each) => each === name)
  if (kind === undefined) throw new Error(`E2E_NODE must be one of ${nodeKinds.join(', ')}.`)
  return kind
}
