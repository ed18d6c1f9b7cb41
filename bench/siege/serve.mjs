/** The built service alone in its process; its settings come over IPC. */
import { ensureBuilt } from '../../tools/ensureBuilt.mjs'

ensureBuilt()
const { startServer } = await import('@sluice/server')

process.once('message', async ({ chainId, urls, ...settings }) => {
  const server = await startServer({
    port: 0,
    rpcUrls: new Map([[chainId, urls]]),
    logLevel: 'silent',
    maxBlockAge: 15_000,
    ...settings,
  })
  process.send(server.port)
})
