import type { Devnet } from '@sluice/devnet'
import { type RunningServer, type ServerConfig, startServer } from '@sluice/server'
import { patience } from './startDevnet.js'

/**
 * Starts the service for every chain of a devnet, with timeouts that fit the node implementation. It asks for the latest
 * block each time, because a test may trade and quote again within milliseconds.
 */
export function serveDevnet(
  { chains, deployments }: Devnet,
  changes: Partial<ServerConfig> = {},
): Promise<RunningServer> {
  return startServer({
    ...patience,
    port: 0,
    deployments,
    rpcUrls: new Map(chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    headFreshMs: 0,
    ...changes,
  })
}
