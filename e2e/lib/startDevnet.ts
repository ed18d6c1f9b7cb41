import {
  type Devnet,
  type NodeKind,
  nodeKinds,
  type StartDevnetOptions,
  startDevnet as start,
} from '@sluice/devnet'
import type { ServerConfig } from '@sluice/server'

/** Node implementation that the tests use: `E2E_NODE`, or Anvil. */
export const nodeKind: NodeKind = readNodeKind(process.env['E2E_NODE'] || 'anvil')

/** Starts the devnet on the node implementation that the tests use. */
export function startDevnet(options: StartDevnetOptions): Promise<Devnet> {
  return start({ ...options, node: nodeKind })
}

/**
 * Settings of the service in tests. A machine that is busy with other tests must not count as overload. EDR traces every
 * call, which takes twenty times as long as the call itself, and runs the calls of a batch one after the other.
 */
export const patience: Pick<ServerConfig, 'maxLoopDelayMs' | 'nodeTimes'> = {
  maxLoopDelayMs: 0,
  nodeTimes: nodeKind.startsWith('edr') ? { preview: 30_000, exact: 30_000 } : undefined,
}

/** Rejects unknown names, so that a misspelled name does not test the default node instead. */
function readNodeKind(name: string): NodeKind {
  const kind = nodeKinds.find((each) => each === name)
  if (kind === undefined) throw new Error(`E2E_NODE must be one of ${nodeKinds.join(', ')}.`)
  return kind
}
