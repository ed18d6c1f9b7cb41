import type { Registry } from '@sluice/domain'
import { createEngine, createShared, type Engine, type Shared } from '@sluice/engine'
import type { Config } from './config/Config.js'
import type { Logger } from './logger.js'
import type { LogThrottle } from './logs/throttleLog.js'
import type { Metrics } from './metrics/createMetrics.js'
import { demandPoolIndex, openIndex } from './openIndex.js'

export type Reporting = {
  readonly logger: Logger
  readonly throttle: LogThrottle
  readonly metrics: Metrics | undefined
}

/** Creates the configured engine. Reports failures to the log and the metrics, throttled by cause. */
export function openEngine(
  config: Config,
  { registry, shared }: { registry: Registry.Registry; shared: Shared | undefined },
  reporting: Reporting,
): Engine {
  const { logger, metrics, throttle } = reporting
  demandPoolIndex(config.poolIndex)
  const warn = (report: object, cause: string, message: string) =>
    throttle.write(cause, (more) => logger.warn({ ...report, ...more }, message))
  return createEngine({
    ...metrics?.hooks,
    shared,
    maxFlights: config.maxFlights,
    registry,
    rpcUrls: config.rpcUrls,
    headFreshMs: config.headFreshMs,
    maxBlockAge: config.maxBlockAge,
    nodeTimes: config.nodeTimes,
    poolIndex: config.poolIndex,
    marketData: config.marketData,
    tokenLists: config.tokenLists,
    onMarketFailure: (report) =>
      warn(report, `market ${Object.values(report)}`, 'market data failed'),
    swapIndex: openIndex({ ...config, registry }, reporting),
    now: Date.now,
    onFailure: (report) => warn(report, `node ${report.upstream} ${report.failure}`, 'node failed'),
    onProblem: (report) => logger.error(report, 'quotes are not available on a chain'),
  })
}

/** Connects to the shared store, if one is configured. */
export function openShared({ redisUrl }: Config, reporting: Reporting): Shared | undefined {
  if (redisUrl === undefined) return undefined
  const { logger, metrics, throttle } = reporting
  const onFault = () => {
    metrics?.noteStoreFault('shared')
    throttle.write('shared store', (more) => logger.warn(more, 'the shared store failed'))
  }
  return createShared({ url: redisUrl, onFault })
}
