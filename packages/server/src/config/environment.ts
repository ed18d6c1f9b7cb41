import type { Deployments } from '@sluice/domain'
import { marketKinds } from '@sluice/engine'
import { z } from 'zod'
import { defaults } from './Config.js'
import {
  address,
  cidrs,
  deploymentsFile,
  httpUrl,
  httpUrls,
  integer,
  marketData,
  tokenLists,
} from './schemas.js'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const dayMs = 86_400_000
const nothingDeployed: Deployments.Deployments = { schema: 1, chains: {} }

/** All environment variables of the service, with their meanings and defaults. */
export const environment = z.object({
  PORT: integer({ max: 65_535 }).default(defaults.port).describe('port to listen on; default 8080'),
  HOST: z.string().default(defaults.host).describe('host to listen on; default 127.0.0.1'),
  DEPLOYMENTS: deploymentsFile
    .default(nothingDeployed)
    .describe('file written by the deploy command; without it, calls contain the contracts'),
  BASE_URL: httpUrl.optional().describe('public URL of the service'),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default(defaults.logLevel)
    .describe('default `info`; `silent` disables the log'),
  LOG_CALLER: z
    .enum(['address', 'hash', 'off'], 'must be address, hash or off')
    .default(defaults.logCaller)
    .describe(
      'how logs identify callers: `address` (default), `hash` (keyed by `DIGEST_KEY`, or by a random key at each start), `off`',
    ),
  HEAD_FRESH_MS: integer({ max: 60_000 })
    .default(defaults.headFreshMs)
    .describe('how long a header counts as the latest; default 250, at most half a block time'),
  MAX_BLOCK_AGE_MS: z
    .union([z.literal(['auto', 'off']), integer({ max: dayMs })], {
      error: `must be an integer from 0 to ${dayMs}, auto or off`,
    })
    .default(defaults.maxBlockAge)
    .describe('maximum age of the latest block: `auto` (default), `off` or milliseconds'),
  POOL_INDEX: z
    .string()
    .optional()
    .describe(
      'file of the pool index, which proposes connector hints; `:memory:` rebuilds it at each start, unset disables it',
    ),
  MARKET_DATA: marketData
    .default(marketKinds.map((kind) => ({ kind })))
    .describe(
      `market data sources, comma-separated, best first: ${marketKinds.map((kind) => `\`${kind}\``).join(', ')}, each with \`=URL\` for another host; default all, \`off\` for none`,
    ),
  TOKEN_LISTS: tokenLists
    .default([])
    .describe(
      'comma-separated files, each a standard token list, whose symbols come before market data; default none',
    ),
  SWAP_INDEX: z
    .string()
    .default(':memory:')
    .describe(
      'file of the swap index, which statistics are counted from; `:memory:` (default) rebuilds it at each start, `off` disables it',
    ),
  DATABASE_URL: address(['postgres:', 'postgresql:'], 'must be a Postgres URL')
    .optional()
    .describe('Postgres for the swap index, instead of a file'),
  SWAP_INDEX_MS: integer({ max: 3_600_000 })
    .default(defaults.swapIndexMs)
    .describe("pause between two rounds of a chain's swap index; default 15000, at least 100"),
  STATS_CACHE_MS: integer({ max: dayMs })
    .default(defaults.statsCacheMs)
    .describe('how long statistics are cached; default 300000'),
  QUOTE_RELAY: z
    .enum(['on', 'off'], 'must be on or off')
    .default(defaults.quoteRelay)
    .describe('default `on`; `off` answers quotes with `rpc_required` and the prepared call'),
  DIGEST_KEY: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'adds an HMAC to prepared requests, and rejects those without it; at least 16 characters',
    ),
  DOCS_URL: httpUrl
    .optional()
    .describe("URL of the documentation; default the service's own guide"),
  CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/)\S+$/, 'must begin with mailto: or https://')
    .optional()
    .describe('how to reach the operator: `mailto:…` or `https://…`'),
  ADMIN_PORT: integer({ max: 65_535 })
    .optional()
    .describe('port of `/metrics`, `/readyz` and `/livez`; default none'),
  ADMIN_HOST: z
    .string()
    .default(defaults.adminHost)
    .describe('host of the admin port; default 127.0.0.1'),
  RATE_LIMIT: integer({ max: 1_000_000 })
    .default(defaults.rateLimit)
    .describe('points per second and address; default 0 (off)'),
  RATE_BURST: integer({ max: 10_000_000, min: 1 })
    .default(defaults.rateBurst)
    .describe('maximum number of points that an address saves up; default 120'),
  TRUSTED_PROXIES: cidrs
    .default([])
    .describe('comma-separated CIDR blocks whose `x-forwarded-for` is trusted'),
  MAX_FLIGHTS: integer({ max: 10_000, min: 1 })
    .default(defaults.maxFlights)
    .describe('maximum number of different concurrent quotes on a chain; default 32'),
  MAX_LOOP_DELAY_MS: integer({ max: 60_000 })
    .default(defaults.maxLoopDelayMs)
    .describe('event loop delay from which work waits or is refused; default 25, 0 for never'),
  MAX_CONNECTIONS: integer({ max: 1_000_000, min: 1 })
    .default(defaults.connections.max)
    .describe('maximum number of concurrent connections; default 2000'),
  MAX_ADDRESS_CONNECTIONS: integer({ max: 1_000_000, min: 1 })
    .default(defaults.connections.maxPerAddress)
    .describe('maximum number of concurrent connections of an address; default 1000'),
  MAX_STREAMS: integer({ max: 100_000, min: 1 })
    .default(defaults.stream.maxStreams)
    .describe('maximum number of concurrent streams; default 200'),
  MAX_ADDRESS_STREAMS: integer({ max: 100_000, min: 1 })
    .default(defaults.stream.maxPerAddress)
    .describe('maximum number of concurrent streams of an address; default 32'),
  REDIS_URL: address(['redis:', 'rediss:'], 'must be a redis or rediss URL')
    .optional()
    .describe(
      'Valkey or Redis that processes share for quotes on a block and rate limits; default none',
    ),
  WORKERS: integer({ max: 64, min: 1 })
    .default(defaults.workers)
    .describe(
      'number of processes behind the port; default 1; the admin port of each further one is one higher',
    ),
  WEB_DIR: z
    .string()
    .default(defaults.webDir)
    .describe("folder of the pages' scripts; default the repository's build"),
  DRAIN_DELAY_MS: integer({ max: 60_000 })
    .default(defaults.drainDelayMs)
    .describe('how long to keep responding after `/readyz` has failed, when stopping; default 0'),
})

/** Variables of single chains, by the prefix of their names before the chain id. */
export const chainVariables = {
  RPC: httpUrls.describe("URLs of the chain's nodes, comma-separated, best first"),
  SWAP_FROM: integer({ max: 999_999_999 }).describe(
    "first block to index; by default the index searches for the Routers' creation",
  ),
}

/** All variables with their meanings, those of single chains first. */
export const variables = [
  ...Object.entries(chainVariables).map(([name, schema]) => [`${name}_<chainId>`, schema] as const),
  ...Object.entries(environment.shape),
].map(([name, { description = '' }]) => ({ name, meaning: description }))
