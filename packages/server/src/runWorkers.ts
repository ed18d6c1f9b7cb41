import cluster from 'node:cluster'
import type { Logger } from './logger.js'
import { stopWhenTold } from './stopWhenTold.js'

/** Message of a worker that has started to serve. */
export const ready = 'ready'
/**
 * Pause before a worker is replaced, in milliseconds, so that workers that end at once do not keep the machine busy.
 */
const pauseMs = 1_000

/**
 * Runs several processes behind one port, replaces those that fail, and stops them all at a signal. Replaces none if no
 * worker has ever served: then the settings are wrong.
 *
 * @param options.adminPort Admin port of the first worker; the others use the next ports.
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
