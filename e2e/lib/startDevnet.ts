import {
  type Devnet,
  type NodeKind,
  nodeKinds,
  type StartDevnetOptions,
  startDevnet as start,
} from '@sluice/devnet'

/** What the suites run on: `E2E_NODE`, one of the devnet's kinds of nodes. */
export const nodeKind: NodeKind = readNodeKind(process.env['E2E_NODE'] || 'anvil')

/** The devnet, on the node that the suites run on. */
export function startDevnet(options: StartDevnetOptions): Promise<Devnet> {
  return start({ ...options, node: nodeKind })
}

/** An unknown name must not pass for a run on that node. */
function readNodeKind(name: string): NodeKind {
  const kind = nodeKinds.find((each) => each === name)
  if (kind === undefined) throw new Error(`E2E_NODE must be one of ${nodeKinds.join(', ')}.`)
  return kind
}
