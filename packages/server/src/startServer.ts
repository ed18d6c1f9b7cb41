import { setMaxListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Site } from '@sluice/api'
import { BaseError, Registry } from '@sluice/domain'
import { createEngine, createShared, isLocal, type Shared } from '@sluice/engine'
import type pino from 'pino'
import { type Config, defaults } from './config.js'
import { type AppOptions, createApp } from './createApp.js'
import { parseCidrs } from './http/clientAddress.js'
import { createHttpServer } from './http/createHttpServer.js'
import { createBuckets, createSharedBuckets } from './limits/Buckets.js'
import { watchLoopDelay } from './limits/LoopDelay.js'
import { createLogger, type Logger } from './logger.js'
import { createMetrics, type Metrics } from './metrics.js'
import { demandPoolIndex, openIndex } from './openIndex.js'
import { readAssets } from './pages/Assets.js'
import { createQuickLane } from './quickLane.js'
import { createPrepareTexts } from './routes/PrepareTexts.js'
import { createQuoteTexts } from './routes/QuoteTexts.js'
import { type Admin, adminHost, startAdmin } from './startAdmin.js'

/** Configuration in which only what has no default must be given. */
export type ServerConfig = Pick<Config, 'deployments' | 'rpcUrls'> &
  Partial<Omit<Config, 'deployments' | 'rpcUrls'>>

export type RunningServer = {
  /** Where the service is reached, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Port of metrics and readiness, where there is one. */
  readonly adminPort: number | undefined
  /** Lets the answers under way finish, for up to ten seconds, and closes; takes fifteen at most. */
  readonly stop: () => Promise<void>
}

const drainMs = 10_000
/** For what does not hear that it should end, such as a database that hangs; so all is over within fifteen seconds. */
const endMs = 4_000

/**
 * Starts the service.
 *
 * @throws NothingServedError where no chain has both nodes and a deployment; NotListeningError where the port is taken.
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
  const loop = config.maxLoopDelayMs === 0 ? undefined : watchLoopDelay(config.maxLoopDelayMs)
  demandPoolIndex(config.poolIndex)
  const shared = openShared(config, logger)
  const engine = createEngine({
    ...metrics?.hooks,
    shared,
    maxFlights: config.maxFlights,
    registry,
    rpcUrls: config.rpcUrls,
    headFreshMs: config.headFreshMs,
    maxBlockAge: config.maxBlockAge,
    poolIndex: config.poolIndex,
    marketData: config.marketData,
    tokenLists: config.tokenLists,
    onMarketFailure: (report) => logger.warn(report, 'market data failed'),
    swapIndex: openIndex({ ...config, registry }, { logger, metrics }),
    now: Date.now,
    onFailure: (report) => logger.warn(report, 'node failed'),
  })
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const publicRpcUrls: Config['rpcUrls'] = config.publishRpc ? config.rpcUrls : new Map()
  const { digestKey, poolIndex } = config
  const hintsFor = poolIndex === undefined ? undefined : engine.hintsFor
  const preparing = { registry, publicRpcUrls, digestKey, hintsFor, now: Date.now }
  const options: AppOptions = {
    ...preparing,
    engine,
    quoteTexts: createQuoteTexts(engine),
    prepareTexts: createPrepareTexts(preparing),
    logger,
    assets: readAssets(config.webDir),
    isRelay: config.quoteRelay === 'on',
    statsCacheMs: config.statsCacheMs,
    maxBlockAgeSec: (chainId) => decodeMaxBlockAgeSec(config, chainId),
    deployments: config.deployments,
    updatedAt: config.updatedAt ?? Date.now(),
    site: () => site,
    metrics,
    isLate: loop?.isLate,
    streamLimits: config.stream,
    stopping: stopping.signal,
    rateLimit: rateOptions(config, shared),
  }
  const server = createHttpServer(createApp(options), createQuickLane(options))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new NotListeningError({ ...config, variable: 'PORT' }, cause)),
    )
    server.listen(config.port, config.host, resolve)
  })
  let isDraining = false
  const admin = await openAdmin(config, { engine, metrics, isDraining: () => isDraining }).catch(
    (error) => {
      server.close()
      throw error
    },
  )
  engine.startProbing()
  const { port } = server.address() as AddressInfo
  const url =
    config.baseUrl ??
    `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  const site = siteOf(config, url)
  const chains = [...registry.keys()]
  logger.info({ port, host: config.host, chains }, 'listening')
  for (const chainId of config.rpcUrls.keys())
    if (!registry.has(chainId))
      logger.warn({ chainId }, 'not served: neither deployed nor among the known chains')
  const end = async () => {
    isDraining = true
    // Whoever balances the load learns from /readyz, and callers from their answers, to go elsewhere.
    server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'))
    await new Promise((resolve) => setTimeout(resolve, config.drainDelayMs))
    stopping.abort()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await within(drainMs, closed)
    server.closeAllConnections()
    await closed
    loop?.stop()
    admin?.stop()
    await within(endMs, engine.stop())
    shared?.stop()
  }
  let ended: Promise<void> | undefined
  const stop = () => {
    ended ??= end()
    return ended
  }
  return { url, port, adminPort: admin?.port, stop }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function openAdmin(
  { adminPort: port }: Config,
  {
    metrics,
    ...parts
  }: Omit<startAdmin.Options, 'port' | 'metrics'> & { metrics: Metrics | undefined },
): Promise<Admin | undefined> {
  if (port === undefined || metrics === undefined) return undefined
  try {
    return await startAdmin({ ...parts, metrics, port })
  } catch (cause) {
    const wanted = { host: adminHost, port, variable: 'ADMIN_PORT' }
    throw new NotListeningError(wanted, cause as NodeJS.ErrnoException)
  }
}

function openShared({ redisUrl }: Config, logger: Logger): Shared | undefined {
  if (redisUrl === undefined) return undefined
  return createShared({ url: redisUrl, onFault: () => logger.warn('the shared store failed') })
}

function rateOptions({ rateBurst, rateLimit, trustedProxies }: Config, shared?: Shared) {
  if (rateLimit === 0) return undefined
  const bounds = { rate: rateLimit, burst: rateBurst }
  const own = createBuckets({ ...bounds, now: () => performance.now() })
  const buckets = shared === undefined ? own : createSharedBuckets(shared, own, bounds)
  return { ...bounds, buckets, trustedProxies: parseCidrs(trustedProxies)! }
}

function siteOf({ contact, docsUrl }: Config, url: string): Site {
  return { url, docs: docsUrl ?? `${url}/llms-full.txt`, contact: contact ?? url }
}

/** A devnet makes blocks on demand, so its latest may be old without being stale. */
function decodeMaxBlockAgeSec(config: Config, chainId: number): number | undefined {
  const isOnDemand = config.rpcUrls.get(chainId)?.every(isLocal) ?? false
  return isOnDemand || config.maxBlockAge === 'off' ? Number.POSITIVE_INFINITY : undefined
}

/** Thrown when the configuration leaves no chain to serve. */
export class NothingServedError extends BaseError {
  override readonly name = 'NothingServedError'
  constructor() {
    super('No chain has both a node (RPC_<chainId>) and a Quoter in the deployments file.', {
      code: 'nothing_served',
      metaMessages: ['Deploy to the chain first, or set RPC_<chainId> for a chain of the file.'],
    })
  }
}

/** Thrown when the port cannot be had. */
export class NotListeningError extends BaseError {
  override readonly name = 'NotListeningError'
  constructor(wanted: NotListeningError.Wanted, cause: NodeJS.ErrnoException) {
    const isTaken = cause.code === 'EADDRINUSE'
    const why = isTaken ? 'is taken by another program' : `cannot be used (${cause.code})`
    super(`Port ${wanted.port} on ${wanted.host} ${why}.`, {
      code: 'not_listening',
      cause,
      metaMessages: [adviceOn(cause.code, wanted.variable)],
    })
  }
}

function adviceOn(code: string | undefined, variable: string): string {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'Set HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all that it has.'
  return `Set ${variable} to a free one; 0 lets the system choose.`
}

export declare namespace NotListeningError {
  type Wanted = {
    readonly host: string
    readonly port: number
    /** The setting that names the port. */
    readonly variable: string
  }
}
