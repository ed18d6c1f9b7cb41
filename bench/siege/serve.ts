/** The service alone in its process; its settings come over IPC. */
import { type ServerConfig, startServer } from '@sluice/server'
import { deployments } from '../chaos/clients.js'
import { chainId } from '../chaos/encodePlan.js'

export type Setting = Partial<ServerConfig> & { readonly urls: readonly string[] }

process.once('message', async ({ urls, ...settings }: Setting) => {
  const server = await startServer({
    port: 0,
    deployments,
    rpcUrls: new Map([[chainId, urls]]),
    logLevel: 'silent',
    maxBlockAge: 15_000,
    ...settings,
  })
  process.send!(server.port)
})
