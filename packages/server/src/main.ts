import { BaseError } from '@sluice/domain'
import { readConfig } from './config/readConfig.js'
import { faultOf } from './faultOf.js'
import { createLogger } from './logger.js'
import { ready, runWorkers } from './runWorkers.js'
import { startServer } from './startServer.js'
import { stopWhenTold } from './stopWhenTold.js'

/** `npm run serve`: serves the chains of the environment until it is told to stop. */
async function main(): Promise<void> {
  // Whoever read what is written may be gone, which is no reason to go as well.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // Node would print the whole error, with whatever addresses and passwords stand in it.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${JSON.stringify({ msg: 'fault', ...faultOf(error) })}\n`)
    process.exit(1)
  })
  const config = readConfig()
  const { adminPort, logLevel, workers } = config
  if (workers > 1) {
    runWorkers({ count: workers, adminPort, logger: createLogger(logLevel) })
    return
  }
  const starting = startServer(config)
  // From before the first request on: whoever is told to stop while starting ends what then has begun.
  stopWhenTold(() => starting.then((server) => server.stop()).then(() => process.exit(0)))
  const server = await starting
  process.send?.(ready)
  process.stdout.write(`Sluice is listening on ${server.url}\n`)
}

main().catch((error) => {
  // Only our own errors are sure to hold no secret.
  const text = error instanceof BaseError ? error.message : 'The server could not start.'
  process.stderr.write(`${text}\n`)
  process.exit(1)
})
