import { fileURLToPath } from 'node:url'
import type { Deployments } from '@sluice/domain'
import type { ListedToken, MarketSetting, NodeTimes } from '@sluice/engine'
import type { ConnectionLimits } from '../http/Connections.js'
import { type StreamLimits, streamLimits } from '../limits/Streams.js'
import type { CallerNaming } from '../logs/nameCallers.js'

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

/** What a program that starts the service need not say. */
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
