import { fileURLToPath } from 'node:url'
import type { Deployments } from '@sluice/domain'
import type { ListedToken, MarketSetting, NodeTimes } from '@sluice/engine'
import type { ConnectionLimits } from '../http/Connections.js'
import { type StreamLimits, streamLimits } from '../limits/Streams.js'
import type { CallerNaming } from '../logs/nameCallers.js'

/** The operator's settings. */
export type Config = {
  /** 0 lets the system choose a port. */
  readonly port: number
  readonly host: string
  readonly deployments: Deployments.Deployments
  /** Node URLs by chain id, best first. Secret: they may contain keys. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>
  /** Public URL of the service. If unset, the URL on which it listens. */
  readonly baseUrl: string | undefined
  readonly logLevel: string
  readonly headFreshMs: number
  readonly maxBlockAge: number | 'auto' | 'off'
  /**
   * Time limits of node requests in milliseconds, for development nodes that trace every call. Not an operator's
   * setting.
   */
  readonly nodeTimes?: NodeTimes | undefined
  /** Shows node URLs in health responses. Only for a devnet, whose URLs are not secret. */
  readonly publishRpc: boolean
  /**
   * Database file of the pool index, which proposes connector hints. `:memory:` keeps it in memory; unset disables it.
   */
  readonly poolIndex: string | undefined
  /** Store of the swap index; unset disables it. Secret: a URL may contain a password. */
  readonly swapIndex: { readonly path: string } | { readonly url: string } | undefined
  /** Pause between two rounds of a chain's swap index, in milliseconds. */
  readonly swapIndexMs: number
  /** First block to index, by chain id. If unset, the index searches for the creation of the Routers. */
  readonly swapFirstBlocks: ReadonlyMap<number, number>
  /** How long statistics are cached, in milliseconds. */
  readonly statsCacheMs: number
  /** Market data sources, best first. Without any, symbols come from lists only and there are no x-rays. */
  readonly marketData: readonly MarketSetting[]
  /** Tokens from token lists, which come before market data when a symbol is looked up. */
  readonly tokenLists: readonly ListedToken[]
  /** `off`: the service prepares quotes for the callers' own nodes and makes none itself. */
  readonly quoteRelay: 'on' | 'off'
  /** Key of the HMAC on prepared requests; share it between instances behind one URL. */
  readonly digestKey: string | undefined
  /** URL of the documentation. If unset, the service's own guide. */
  readonly docsUrl: string | undefined
  /** URI for contacting the operator. */
  readonly contact: string | undefined
  /** When the deployments file was written, in unix milliseconds. If unset, the start of the service. */
  readonly updatedAt: number | undefined
  /** Port of metrics and readiness; 0 lets the system choose, `undefined` disables it. */
  readonly adminPort: number | undefined
  readonly adminHost: string
  /** How logs identify callers. */
  readonly logCaller: CallerNaming
  /** Points that an address gets per second; 0 sets no limit. */
  readonly rateLimit: number
  /** Maximum number of points that an address can save up. */
  readonly rateBurst: number
  /** CIDR blocks of proxies whose `x-forwarded-for` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Maximum number of different concurrent quotes on one chain. More are refused. */
  readonly maxFlights: number
  readonly connections: ConnectionLimits
  /** Event loop delay in milliseconds from which work waits or is refused; 0 sets no limit. */
  readonly maxLoopDelayMs: number
  /** How long the service keeps responding after it reports that it is not ready, in milliseconds. */
  readonly drainDelayMs: number
  readonly stream: StreamLimits
  /** URL of a Valkey or Redis server shared by processes. Secret: it may contain a password. */
  readonly redisUrl: string | undefined
  /** Number of processes behind the port. */
  readonly workers: number
  /** Folder with the built scripts of the pages. If it does not exist, the pages work without scripts. */
  readonly webDir: string
}

/** Default settings of a program that starts the service. */
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
  webDir: fileURLToPath(new URL('../../../../apps/web/dist', import.meta.url)),
} as const
