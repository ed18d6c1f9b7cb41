import { BaseError } from '@sluice/domain'
import { readConfig } from './config/readConfig.js'
import { faultOf } from './faultOf.js'
import { createLogger } from './logger.js'
import { ready, runWorkers } from './runWorkers.js'
import { startServer } from './startServer.js'
import { stopWhenTold } from './stopWhenTold.js'

/** `npm run serve`: serves the configured chains until a signal stops it. */
async function main(): Promise<void> {
  // The reader of our output may be gone; that must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // Node would print the whole error, which may contain URLs and passwords.
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
  // Listen for signals before the server has started: a signal during the start stops it afterwards.
  stopWhenTold(() => starting.then((server) => server.stop()).then(() => process.exit(0)))
  const server = await starting
  process.send?.(ready)
  process.stdout.write(`Sluice is listening on ${server.url}\n`)
}

main().catch((error) => {
  // Only our own error messages contain no secrets for sure.
  const text = error instanceof BaseError ? error.message : 'The server could not start.'
  process.stderr.write(`${text}\n`)
  process.exit(1)
})
