import cluster from 'node:cluster'
import type { Logger } from './logger.js'

/** A worker that ends sooner than this after its start would end again at once. */
const leastLifeMs = 1_000

/**
 * Runs the program in several processes behind one port, replaces those that end by accident, and ends with all of them
 * when it is told to.
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
  const fork = (index: number) => {
    const startedAt = performance.now()
    const admin = adminPort === undefined ? {} : { ADMIN_PORT: `${adminPort + index}` }
    const worker = cluster.fork({ WORKERS: '1', ...admin })
    worker.once('exit', (code) => {
      if (isStopping) return
      const tookMs = performance.now() - startedAt
      logger.error({ worker: index, code }, 'worker ended')
      if (tookMs < leastLifeMs) stop(1)
      else fork(index)
    })
  }
  const stop = (code: number) => {
    if (isStopping) return
    isStopping = true
    process.exitCode = code
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  }
  for (let index = 0; index < count; index++) fork(index)
  process.once('SIGINT', () => stop(0))
  process.once('SIGTERM', () => stop(0))
}
