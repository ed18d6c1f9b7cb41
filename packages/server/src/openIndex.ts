import { type Deployments, type Registry, Routers } from '@sluice/domain'
import {
  NewerSchemaError,
  openPoolStore,
  openSwapStore,
  type SwapIndexConfig,
} from '@sluice/engine'
import type { Config } from './config/Config.js'
import { InvalidConfigError } from './config/InvalidConfigError.js'
import type { Logger } from './logger.js'
import type { LogThrottle } from './logs/throttleLog.js'
import type { Metrics } from './metrics/createMetrics.js'

/** Returns the configuration of the swap index. Reports its progress and failures to the log and the metrics. */
export function openIndex(
  config: Pick<Config, 'swapFirstBlocks' | 'swapIndex' | 'swapIndexMs'> & {
    deployments: Deployments.Deployments
    registry: Registry.Registry
  },
  options: { logger: Logger; metrics: Metrics | undefined; throttle: LogThrottle },
): SwapIndexConfig {
  const { logger, metrics, throttle } = options
  return {
    store: config.swapIndex && openStore(config.swapIndex),
    chains: Routers.from(config.deployments, config.registry),
    firstBlocks: config.swapFirstBlocks,
    everyMs: config.swapIndexMs,
    onProgress({ part, ...progress }) {
      const percent = Math.floor(10_000 * part) / 100
      logger.info({ ...progress, percent }, part < 1 ? 'indexing swaps' : 'swaps are indexed')
    },
    onFailure(failure) {
      throttle.write(`index ${failure.chainId} ${failure.fault}`, (more) =>
        logger.warn({ ...failure, ...more }, 'indexing swaps failed'),
      )
      metrics?.noteIndexFailure(failure)
      if (failure.fault === 'store_unreachable') metrics?.noteStoreFault('swaps')
    },
  }
}

/** @throws InvalidConfigError if the file cannot be used. */
export function demandPoolIndex(path: string | undefined): void {
  if (path === undefined) return
  try {
    openPoolStore(path).close()
  } catch (cause) {
    throw unusable('POOL_INDEX', cause)
  }
}

/** @throws InvalidConfigError if the file cannot be used. */
function openStore(where: NonNullable<Config['swapIndex']>) {
  try {
    return openSwapStore(where)
  } catch (cause) {
    throw unusable('SWAP_INDEX', cause)
  }
}

function unusable(variable: string, cause: unknown): InvalidConfigError {
  const reason =
    cause instanceof NewerSchemaError
      ? 'names the database of a newer version of this program: run that version, or name another file'
      : 'names a file that cannot be used as a database'
  return new InvalidConfigError([{ variable, reason }], cause)
}
