import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Deployments } from '@sluice/domain'
import type { ListedToken, MarketSetting, NodeTimes } from '@sluice/engine'
import type { ConnectionLimits } from './http/Connections.js'
import { parseCidrs } from './http/callers.js'
import { type StreamLimits, streamLimits } from './limits/Streams.js'
import type { CallerNaming } from './logs/nameCallers.js'
import {
  InvalidConfigError,
  isHttpUrl,
  readBaseUrl,
  readContact,
  readDeployments,
  readDigestKey,
  readInteger,
  readLogCaller,
  readMarketData,
  readRedisUrl,
  readRelay,
  readTokenLists,
} from './settings.js'

/** Everything that an operator can set. */
export type Config = {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host: string
  readonly deployments: Deployments.Deployments
  /** Addresses of nodes by chain id, best first. Secret: they may hold keys. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>
  /** Where the service is reached from outside; without it, where it listens. */
  readonly baseUrl: string | undefined
  readonly logLevel: string
  readonly headFreshMs: number
  readonly maxBlockAge: number | 'auto' | 'off'
  /** Milliseconds that nodes get for a quote, for development nodes that trace every call; no setting of an operator. */
  readonly nodeTimes?: NodeTimes | undefined
  /** Names the nodes in health answers: for a devnet's own, whose addresses are nobody's secret. */
  readonly publishRpc: boolean
  /** File of the index of pools that connector hints come from; `:memory:` keeps none, unset makes no index. */
  readonly poolIndex: string | undefined
  /** Where the index of swaps is kept; unset keeps none. Secret: an address may hold a password. */
  readonly swapIndex: { readonly path: string } | { readonly url: string } | undefined
  /** Pause between two looks at a chain for its swaps. */
  readonly swapIndexMs: number
  /** First block that can hold a swap, by chain id; without it the Routers' creation is looked for. */
  readonly swapFirstBlocks: ReadonlyMap<number, number>
  /** How long counted statistics are given again, in milliseconds. */
  readonly statsCacheMs: number
  /** Who is asked for a token's pools, best first; none leaves symbols to the lists, and no x-rays. */
  readonly marketData: readonly MarketSetting[]
  /** Tokens that symbols may mean, before market data is asked. */
  readonly tokenLists: readonly ListedToken[]
  /** Off: quotes are prepared for the callers' own nodes and made on none. */
  readonly quoteRelay: 'on' | 'off'
  /** Key of the HMAC on prepared requests; instances behind one address share it. */
  readonly digestKey: string | undefined
  /** Address of the documentation; without it the service's own guide. */
  readonly docsUrl: string | undefined
  /** How the operator is reached: a URI. */
  readonly contact: string | undefined
  /** Unix milliseconds when the deployments were written; without it the start. */
  readonly updatedAt: number | undefined
  /** Port of metrics and readiness; 0 lets the system choose, `undefined` opens none. */
  readonly adminPort: number | undefined
  readonly adminHost: string
  /** How the log names callers. */
  readonly logCaller: CallerNaming
  /** Points a second that an address may spend; 0 sets no limit. */
  readonly rateLimit: number
  /** Points that an address can save up. */
  readonly rateBurst: number
  /** Proxies whose `x-forwarded-for` is believed. */
  readonly trustedProxies: readonly string[]
  /** Different quotes of one chain that nodes are asked for at a time; more are turned away. */
  readonly maxFlights: number
  readonly connections: ConnectionLimits
  /** How late the process may be before work waits or is turned away, in milliseconds; 0 sets no limit. */
  readonly maxLoopDelayMs: number
  /** How long the service goes on answering after it said that it is not ready, when it stops. */
  readonly drainDelayMs: number
  readonly stream: StreamLimits
  /** Valkey or Redis that several processes share. Secret: it may hold a password. */
  readonly redisUrl: string | undefined
  /** Processes behind the port. */
  readonly workers: number
  /** Folder of the pages' scripts, as they were built; the pages do without if it is absent. */
  readonly webDir: string
}

export const defaults = {
  port: 8_080,
  host: '127.0.0.1',
  baseUrl: undefined,
  logLevel: 'info',
  headFreshMs: 250,
  maxBlockAge: 'auto',
  publishRpc: false,
  poolIndex: undefined,
  swapIndex: undefined,
  swapIndexMs: 15_000,
  swapFirstBlocks: new Map<number, number>(),
  statsCacheMs: 300_000,
  marketData: [],
  tokenLists: [],
  quoteRelay: 'on',
  digestKey: undefined,
  docsUrl: undefined,
  contact: undefined,
  updatedAt: undefined,
  adminPort: undefined,
  adminHost: '127.0.0.1',
  logCaller: 'address',
  rateLimit: 0,
  rateBurst: 120,
  trustedProxies: [],
  maxFlights: 32,
  maxLoopDelayMs: 25,
  connections: { max: 2_000, maxPerAddress: 1_000 },
  drainDelayMs: 0,
  stream: streamLimits,
  redisUrl: undefined,
  workers: 1,
  webDir: fileURLToPath(new URL('../../../apps/web/dist', import.meta.url)),
} as const

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * Reads the configuration from environment variables; the one place that does.
 *
 * | variable | meaning |
 * |---|---|
 * | `PORT`, `HOST` | where to listen; 8080 on 127.0.0.1 |
 * | `RPC_<chainId>` | the chain's nodes, comma-separated, best first |
 * | `DEPLOYMENTS` | the file that the deploy command wrote; without it calls bring the contracts along |
 * | `BASE_URL` | where the service is reached from outside |
 * | `LOG_LEVEL` | `info`; `silent` for none |
 * | `HEAD_FRESH_MS` | how long a header counts as the latest: 250, at most half a block |
 * | `MAX_BLOCK_AGE_MS` | refuse older blocks: `auto`, `off` or milliseconds |
 * | `POOL_INDEX` | file of the index of pools, from which tokens in the middle are proposed; `:memory:` builds it anew at each start, unset makes none |
 * | `MARKET_DATA` | who reports pools, comma-separated, best first: `dexscreener`, `geckoterminal`, each with `=URL` for another host; both, `off` for none |
 * | `TOKEN_LISTS` | comma-separated files, each a standard token list, whose symbols are resolved before market data is asked; none |
 * | `SWAP_INDEX` | file of the index of swaps, from which statistics are counted; `:memory:` (if unset) builds it anew at each start, `off` makes none |
 * | `DATABASE_URL` | Postgres for the index of swaps, in place of a file |
 * | `SWAP_FROM_<chainId>` | first block that is indexed; the Routers' creation, looked for |
 * | `SWAP_INDEX_MS` | pause between two looks at a chain for its swaps: 15000 |
 * | `STATS_CACHE_MS` | how long counted statistics are given again: 300000 |
 * | `QUOTE_RELAY` | `on`; `off` answers quotes with `rpc_required` and the prepared call |
 * | `DIGEST_KEY` | adds an HMAC to prepared requests, and takes none without it; 16 characters or more |
 * | `DOCS_URL` | where the documentation is; the service's own guide |
 * | `CONTACT` | how the operator is reached: `mailto:…` or `https://…` |
 * | `ADMIN_PORT`, `ADMIN_HOST` | `/metrics`, `/readyz`, `/livez`; off without a port, 127.0.0.1 |
 * | `LOG_CALLER` | how the log names callers: `address`, `hash` (keyed by `DIGEST_KEY`, else by chance at each start), `off`; address |
 * | `RATE_LIMIT`, `RATE_BURST` | points a second for each address, and the most saved up: 0 (off), 120 |
 * | `TRUSTED_PROXIES` | comma-separated CIDR blocks whose `x-forwarded-for` is believed |
 * | `MAX_FLIGHTS` | different quotes of a chain under way at a time: 32 |
 * | `MAX_LOOP_DELAY_MS` | let work wait, and turn it away, when the process is later than this with what it has: 25; 0 never |
 * | `MAX_CONNECTIONS`, `MAX_ADDRESS_CONNECTIONS` | connections at a time, and of one address: 2000, 1000 |
 * | `MAX_STREAMS`, `MAX_ADDRESS_STREAMS` | streams at a time, and of one address: 200, 32 |
 * | `REDIS_URL` | Valkey or Redis that processes share for quotes of a block and rate limits; none |
 * | `WORKERS` | processes behind the port: 1; the admin port of the second is one higher, and so on |
 * | `WEB_DIR` | folder of the pages' scripts; where the repository's are built |
 * | `DRAIN_DELAY_MS` | go on answering for so long after `/readyz` said no, when stopping: 0 |
 *
 * @throws InvalidConfigError naming the variable; never its value.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  // An empty text is an unset variable throughout: an empty host would listen to the whole network.
  const maxBlockAge = env['MAX_BLOCK_AGE_MS'] || defaults.maxBlockAge
  const logLevel = env['LOG_LEVEL'] || defaults.logLevel
  if (!logLevels.includes(logLevel))
    throw new InvalidConfigError('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`)
  return {
    port: readInteger(env, 'PORT', { fallback: defaults.port, max: 65_535 }),
    host: env['HOST'] || defaults.host,
    deployments: readDeployments(env['DEPLOYMENTS']),
    rpcUrls: readRpcUrls(env),
    baseUrl: readBaseUrl(env['BASE_URL']),
    logLevel,
    logCaller: readLogCaller(env['LOG_CALLER']),
    headFreshMs: readInteger(env, 'HEAD_FRESH_MS', {
      fallback: defaults.headFreshMs,
      max: 60_000,
    }),
    maxBlockAge:
      maxBlockAge === 'auto' || maxBlockAge === 'off'
        ? maxBlockAge
        : readInteger(env, 'MAX_BLOCK_AGE_MS', { fallback: 0, max: 86_400_000 }),
    publishRpc: defaults.publishRpc,
    poolIndex: env['POOL_INDEX'] || defaults.poolIndex,
    ...readSwapIndex(env),
    marketData: readMarketData(env['MARKET_DATA']),
    tokenLists: readTokenLists(env['TOKEN_LISTS']),
    quoteRelay: readRelay(env['QUOTE_RELAY']),
    digestKey: readDigestKey(env['DIGEST_KEY']),
    docsUrl: readBaseUrl(env['DOCS_URL'], 'DOCS_URL'),
    contact: readContact(env['CONTACT']),
    ...readLimits(env),
    webDir: env['WEB_DIR'] || defaults.webDir,
    updatedAt: env['DEPLOYMENTS'] ? Math.floor(statSync(env['DEPLOYMENTS']).mtimeMs) : undefined,
  }
}

function readLimits(env: Record<string, string | undefined>) {
  const integer = (name: string, fallback: number, max: number, min = 0) =>
    readInteger(env, name, { fallback, max, min })
  const given = env['TRUSTED_PROXIES']
  const trustedProxies = given ? given.split(',').map((each) => each.trim()) : []
  if (parseCidrs(trustedProxies) === undefined)
    throw new InvalidConfigError('TRUSTED_PROXIES', 'must be comma-separated CIDR blocks')
  return {
    connections: {
      max: integer('MAX_CONNECTIONS', defaults.connections.max, 1_000_000, 1),
      maxPerAddress: integer(
        'MAX_ADDRESS_CONNECTIONS',
        defaults.connections.maxPerAddress,
        1_000_000,
        1,
      ),
    },
    stream: {
      ...defaults.stream,
      maxStreams: integer('MAX_STREAMS', defaults.stream.maxStreams, 100_000, 1),
      maxPerAddress: integer('MAX_ADDRESS_STREAMS', defaults.stream.maxPerAddress, 100_000, 1),
    },
    adminHost: env['ADMIN_HOST'] || defaults.adminHost,
    adminPort: env['ADMIN_PORT'] ? integer('ADMIN_PORT', 0, 65_535) : defaults.adminPort,
    rateLimit: integer('RATE_LIMIT', defaults.rateLimit, 1_000_000),
    rateBurst: integer('RATE_BURST', defaults.rateBurst, 10_000_000, 1),
    trustedProxies,
    maxFlights: integer('MAX_FLIGHTS', defaults.maxFlights, 10_000, 1),
    maxLoopDelayMs: integer('MAX_LOOP_DELAY_MS', defaults.maxLoopDelayMs, 60_000),
    redisUrl: readRedisUrl(env['REDIS_URL']),
    workers: integer('WORKERS', defaults.workers, 64, 1),
    drainDelayMs: integer('DRAIN_DELAY_MS', defaults.drainDelayMs, 60_000),
  }
}

/** Looking more often than this is a busy loop. */
const minIndexMs = 100

function readSwapIndex(env: Record<string, string | undefined>) {
  const { DATABASE_URL: url, SWAP_INDEX: path } = env
  if (url && (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)))
    throw new InvalidConfigError('DATABASE_URL', 'must be a postgres address')
  const swapFirstBlocks = new Map<number, number>()
  for (const name of Object.keys(env)) {
    const chainId = /^SWAP_FROM_([1-9][0-9]{0,14})$/.exec(name)?.[1]
    if (chainId !== undefined && env[name])
      swapFirstBlocks.set(
        Number(chainId),
        readInteger(env, name, { fallback: 0, max: 999_999_999 }),
      )
  }
  const where = url ? { url } : { path: path || ':memory:' }
  return {
    swapIndex: path === 'off' ? undefined : where,
    swapIndexMs: Math.max(
      minIndexMs,
      readInteger(env, 'SWAP_INDEX_MS', { fallback: defaults.swapIndexMs, max: 3_600_000 }),
    ),
    swapFirstBlocks,
    statsCacheMs: readInteger(env, 'STATS_CACHE_MS', {
      fallback: defaults.statsCacheMs,
      max: 86_400_000,
    }),
  }
}

function readRpcUrls(env: Record<string, string | undefined>) {
  const urls = new Map<number, readonly string[]>()
  for (const [name, value] of Object.entries(env)) {
    const chainId = /^RPC_([1-9][0-9]{0,14})$/.exec(name)?.[1]
    if (chainId === undefined || value === undefined || value === '') continue
    const list = value.split(',').map((url) => url.trim())
    if (!list.every(isHttpUrl))
      throw new InvalidConfigError(name, 'must be comma-separated http or https addresses')
    urls.set(Number(chainId), list)
  }
  if (urls.size === 0)
    throw new InvalidConfigError('RPC_<chainId>', 'is set for no chain, for example RPC_8453')
  return urls
}
