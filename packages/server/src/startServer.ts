import { once, setMaxListeners } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { Site } from '@sluice/api'
import { Registry } from '@sluice/domain'
import type { Engine, Shared } from '@sluice/engine'
import type pino from 'pino'
import { type Config, defaults } from './config/Config.js'
import { type AppOptions, createApp } from './createApp.js'
import { createCallers } from './http/callers.js'
import { createHttpServer } from './http/createHttpServer.js'
import { createBuckets, createSharedBuckets } from './limits/Buckets.js'
import { createLimiter } from './limits/Limiter.js'
import { watchLoopDelay } from './limits/LoopDelay.js'
import { createStreams } from './limits/Streams.js'
import { NothingServedError, NotListeningError } from './listenErrors.js'
import { createLogger } from './logger.js'
import { nameCallers } from './logs/nameCallers.js'
import { createNoteRequest } from './logs/noteRequests.js'
import { createLogThrottle } from './logs/throttleLog.js'
import { createMetrics } from './metrics/createMetrics.js'
import { openEngine, openShared, type Reporting } from './openEngine.js'
import { readAssets } from './pages/Assets.js'
import { createRefuseEarly } from './refuseEarly.js'
import { createRecentAnswers } from './routes/RecentAnswers.js'
import { type Admin, startAdmin } from './startAdmin.js'
import { stopServer } from './stopServer.js'

/** Configuration; only settings without a default are required. */
export type ServerConfig = Pick<Config, 'deployments' | 'rpcUrls'> &
  Partial<Omit<Config, 'deployments' | 'rpcUrls'>>

/** A running server. */
export type RunningServer = {
  /** Public URL without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Port of metrics and readiness, if there is one. */
  readonly adminPort: number | undefined
  /** Completes pending responses and closes; takes at most fifteen seconds. */
  readonly stop: () => Promise<void>
}

/**
 * Connections that the operating system queues until the process accepts them. If the queue is full, their first
 * packets are dropped and sent again seconds later, so a crowd could delay every other client.
 */
const backlog = 4_096
/** Work slots for each flight of a chain: several chains can be asked at once. */
const slotsPerFlight = 4

/**
 * Starts the service.
 *
 * @throws NothingServedError if no chain has both nodes and a deployment; NotListeningError if the port is taken.
 */
export async function startServer(
  given: ServerConfig,
  { logDestination }: { logDestination?: pino.DestinationStream } = {},
): Promise<RunningServer> {
  const config: Config = { ...defaults, ...given }
  const logger = createLogger(config.logLevel, logDestination)
  const registry = Registry.from(config.deployments, [...config.rpcUrls.keys()])
  if (registry.size === 0) throw new NothingServedError()
  const metrics = config.adminPort === undefined ? undefined : createMetrics()
  const reporting = { logger, metrics, throttle: createLogThrottle() }
  const shared = openShared(config, reporting)
  const engine = openEngine(config, { registry, shared }, reporting)
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  let url = ''
  const options = appOptions(config, {
    ...{ engine, registry, reporting, shared },
    stopping: stopping.signal,
    site: () => siteOf(config, url),
  })
  const { callers, limiter, streams } = options
  const { connections, server } = createHttpServer(createApp(options), {
    callers,
    limits: config.connections,
    onCut: (cause) => metrics?.noteCut(cause),
    shortWays: [createRefuseEarly(options)],
  })
  await listen(server, { host: config.host, port: config.port, variable: 'PORT' })
  let isDraining = false
  const admin = await openAdmin(config, reporting, {
    engine,
    isDraining: () => isDraining,
    holdings: () => ({
      connections: connections.counts(),
      streams: streams.count(),
      work: limiter.counts(),
    }),
  }).catch((error) => {
    server.close()
    throw error
  })
  const unwatch = watchLoopDelay((lateMs) => {
    metrics?.noteLate(lateMs)
    limiter.adapt(lateMs)
  })
  engine.startProbing()
  const { port } = server.address() as AddressInfo
  url = config.baseUrl ?? `http://${inUrl(config.host)}:${port}`
  announce(config, { registry, reporting, port })
  let ended: Promise<void> | undefined
  const stop = () => {
    isDraining = true
    ended ??= stopServer({
      ...{ server, stopping, drainDelayMs: config.drainDelayMs },
      async end() {
        unwatch()
        admin?.stop()
        reporting.throttle.stop()
        await engine.stop()
      },
    }).finally(() => shared?.stop())
    return ended
  }
  return { url, port, adminPort: admin?.port, stop }
}

type Parts = {
  readonly engine: Engine
  readonly registry: Registry.Registry
  readonly reporting: Reporting
  readonly shared: Shared | undefined
  readonly stopping: AbortSignal
  readonly site: () => Site
}

function appOptions(config: Config, { reporting, shared, ...parts }: Parts): AppOptions {
  const { engine, registry } = parts
  const { logger, metrics, throttle } = reporting
  const publicRpcUrls: Config['rpcUrls'] = config.publishRpc ? config.rpcUrls : new Map()
  const { digestKey, poolIndex } = config
  const hintsFor = poolIndex === undefined ? undefined : engine.hintsFor
  const preparing = {
    registry,
    publicRpcUrls,
    digestKey,
    hintsFor,
    venuesOf: engine.venues,
    now: Date.now,
  }
  const callers = createCallers(config.trustedProxies)
  const nameOf = nameCallers(config.logCaller, digestKey)
  return {
    ...parts,
    ...preparing,
    ...{ logger, metrics, throttle, callers },
    noteRequest: createNoteRequest({ callers, logger, nameOf, throttle }),
    recentAnswers: createRecentAnswers(engine),
    assets: readAssets(config.webDir),
    isRelay: config.quoteRelay === 'on',
    statsCacheMs: config.statsCacheMs,
    maxBlockAgeSec: config.maxBlockAge === 'off' ? Number.POSITIVE_INFINITY : undefined,
    deployments: config.deployments,
    tokenLists: config.tokenLists,
    updatedAt: config.updatedAt ?? Date.now(),
    limiter: createLimiter({
      maxSlots: slotsPerFlight * config.maxFlights,
      maxLateMs: config.maxLoopDelayMs,
    }),
    streams: createStreams(config.stream),
    streamLimits: config.stream,
    rateLimit: rateOptions(config, shared),
  }
}

async function listen(server: Server, wanted: NotListeningError.Wanted): Promise<void> {
  server.listen({ port: wanted.port, host: wanted.host, backlog })
  await once(server, 'listening').catch((cause) => {
    throw new NotListeningError(wanted, cause)
  })
}

async function openAdmin(
  { adminHost: host, adminPort: port }: Config,
  { metrics }: Reporting,
  parts: Omit<startAdmin.Options, 'host' | 'port' | 'metrics'>,
): Promise<Admin | undefined> {
  if (port === undefined || metrics === undefined) return undefined
  try {
    return await startAdmin({ ...parts, metrics, host, port })
  } catch (cause) {
    const wanted = { host, port, variable: 'ADMIN_PORT' } as const
    throw new NotListeningError(wanted, cause as NodeJS.ErrnoException)
  }
}

function announce(
  { host, rpcUrls }: Config,
  { port, registry, reporting }: Pick<Parts, 'registry' | 'reporting'> & { port: number },
): void {
  const { logger } = reporting
  logger.info({ port, host, chains: [...registry.keys()] }, 'listening')
  for (const chainId of rpcUrls.keys())
    if (!registry.has(chainId))
      logger.warn({ chainId }, 'not served: neither deployed nor among the known chains')
}

function rateOptions({ rateBurst, rateLimit }: Config, shared: Shared | undefined) {
  if (rateLimit === 0) return undefined
  const bounds = { rate: rateLimit, burst: rateBurst }
  const own = createBuckets({ ...bounds, now: () => performance.now() })
  const buckets = shared === undefined ? own : createSharedBuckets(shared, own, bounds)
  return { ...bounds, buckets }
}

function siteOf({ contact, docsUrl }: Config, url: string): Site {
  return { url, docs: docsUrl ?? `${url}/llms-full.txt`, contact: contact ?? url }
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
