import cluster from 'node:cluster'
import type { Logger } from './logger.js'
import { stopWhenTold } from './stopWhenTold.js'

/** What a worker tells once it serves. */
export const ready = 'ready'
/** Before a worker that ended is replaced: what ends again at once must not keep the machine busy. */
const pauseMs = 1_000

/**
 * Runs the program in several processes behind one port, replaces those that end by accident, and ends with all of them
 * when it is told to. If not one of them could ever serve, none is replaced: the settings are wrong.
 *
 * @param options.adminPort Of the first worker; those after it take the next ports.
 */
export function runWorkers(options: {
  count: number
  adminPort: number | undefined
  logger: Logger
}): void {
  const { adminPort, count, logger } = options
  let isStopping = false
  let hasServed = false
  const fork = (index: number) => {
    if (isStopping) return
    const admin = adminPort === undefined ? {} : { ADMIN_PORT: `${adminPort + index}` }
    const worker = cluster.fork({ WORKERS: '1', ...admin })
    worker.on('message', (message) => {
      hasServed ||= message === ready
    })
    worker.once('exit', (code) => {
      if (isStopping) return
      logger.error({ worker: index, code }, 'worker ended')
      if (hasServed) setTimeout(fork, pauseMs, index)
      else stop(1)
    })
  }
  const stop = (code: number) => {
    if (isStopping) return
    isStopping = true
    process.exitCode = code
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  }
  stopWhenTold(() => stop(0))
  for (let index = 0; index < count; index++) fork(index)
}
