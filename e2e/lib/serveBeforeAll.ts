import type { Devnet, StartDevnetOptions } from '@sluice/devnet'
import type { RunningServer, ServerConfig } from '@sluice/server'
import { afterAll, beforeAll } from 'vitest'
import { serveDevnet } from './serveDevnet.js'
import { startDevnet } from './startDevnet.js'

/** A devnet and the service for its chains. */
export type Running = { readonly devnet: Devnet; readonly server: RunningServer }

/**
 * Starts a devnet and its service before the tests of a file, and stops them after.
 *
 * @param take Is called with both before the first test.
 */
export function serveBeforeAll(
  options: StartDevnetOptions & { config?: Partial<ServerConfig> | undefined },
  take: (running: Running) => void,
): void {
  let devnet: Devnet | undefined
  let server: RunningServer | undefined
  beforeAll(async () => {
    const { config, ...chains } = options
    devnet = await startDevnet({ port: 0, ...chains })
    server = await serveDevnet(devnet, config)
    take({ devnet, server })
  })
  afterAll(async () => {
    await server?.stop()
    await devnet?.stop()
  })
}
