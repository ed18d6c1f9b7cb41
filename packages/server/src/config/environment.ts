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

/** Every environment variable of the service, with its meaning. An unset one has the default that stands here. */
export const environment = z.object({
  PORT: integer({ max: 65_535 }).default(defaults.port).describe('where to listen: 8080'),
  HOST: z.string().default(defaults.host).describe('where to listen: 127.0.0.1'),
  DEPLOYMENTS: deploymentsFile
    .default(nothingDeployed)
    .describe('the file that the deploy command wrote; without it calls bring the contracts along'),
  BASE_URL: httpUrl.optional().describe('where the service is reached from outside'),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default(defaults.logLevel)
    .describe('`info`; `silent` for none'),
  LOG_CALLER: z
    .enum(['address', 'hash', 'off'], 'must be address, hash or off')
    .default(defaults.logCaller)
    .describe(
      'how the log names callers: `address`, `hash` (keyed by `DIGEST_KEY`, else by chance at each start), `off`; address',
    ),
  HEAD_FRESH_MS: integer({ max: 60_000 })
    .default(defaults.headFreshMs)
    .describe('how long a header counts as the latest: 250, at most half a block'),
  MAX_BLOCK_AGE_MS: z
    .union([z.literal(['auto', 'off']), integer({ max: dayMs })], {
      error: `must be an integer from 0 to ${dayMs}, auto or off`,
    })
    .default(defaults.maxBlockAge)
    .describe('refuse older blocks: `auto`, `off` or milliseconds'),
  POOL_INDEX: z
    .string()
    .optional()
    .describe(
      'file of the index of pools, from which tokens in the middle are proposed; `:memory:` builds it anew at each start, unset makes none',
    ),
  MARKET_DATA: marketData
    .default(marketKinds.map((kind) => ({ kind })))
    .describe(
      `who reports pools, comma-separated, best first: ${marketKinds.map((kind) => `\`${kind}\``).join(', ')}, each with \`=URL\` for another host; all, \`off\` for none`,
    ),
  TOKEN_LISTS: tokenLists
    .default([])
    .describe(
      'comma-separated files, each a standard token list, whose symbols are resolved before market data is asked; none',
    ),
  SWAP_INDEX: z
    .string()
    .default(':memory:')
    .describe(
      'file of the index of swaps, from which statistics are counted; `:memory:` (if unset) builds it anew at each start, `off` makes none',
    ),
  DATABASE_URL: address(['postgres:', 'postgresql:'], 'must be a postgres address')
    .optional()
    .describe('Postgres for the index of swaps, in place of a file'),
  SWAP_INDEX_MS: integer({ max: 3_600_000 })
    .default(defaults.swapIndexMs)
    .describe('pause between two looks at a chain for its swaps: 15000, at least 100'),
  STATS_CACHE_MS: integer({ max: dayMs })
    .default(defaults.statsCacheMs)
    .describe('how long counted statistics are given again: 300000'),
  QUOTE_RELAY: z
    .enum(['on', 'off'], 'must be on or off')
    .default(defaults.quoteRelay)
    .describe('`on`; `off` answers quotes with `rpc_required` and the prepared call'),
  DIGEST_KEY: z
    .string()
    .min(16, 'must have 16 characters or more')
    .optional()
    .describe(
      'adds an HMAC to prepared requests, and takes none without it; 16 characters or more',
    ),
  DOCS_URL: httpUrl.optional().describe("where the documentation is; the service's own guide"),
  CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/)\S+$/, 'must begin with mailto: or https://')
    .optional()
    .describe('how the operator is reached: `mailto:…` or `https://…`'),
  ADMIN_PORT: integer({ max: 65_535 })
    .optional()
    .describe('port of `/metrics`, `/readyz` and `/livez`; none'),
  ADMIN_HOST: z.string().default(defaults.adminHost).describe('its address: 127.0.0.1'),
  RATE_LIMIT: integer({ max: 1_000_000 })
    .default(defaults.rateLimit)
    .describe('points a second for each address: 0 (off)'),
  RATE_BURST: integer({ max: 10_000_000, min: 1 })
    .default(defaults.rateBurst)
    .describe('the most points that an address saves up: 120'),
  TRUSTED_PROXIES: cidrs
    .default([])
    .describe('comma-separated CIDR blocks whose `x-forwarded-for` is believed'),
  MAX_FLIGHTS: integer({ max: 10_000, min: 1 })
    .default(defaults.maxFlights)
    .describe('different quotes of a chain under way at a time: 32'),
  MAX_LOOP_DELAY_MS: integer({ max: 60_000 })
    .default(defaults.maxLoopDelayMs)
    .describe(
      'let work wait, and turn it away, when the process is later than this with what it has: 25; 0 never',
    ),
  MAX_CONNECTIONS: integer({ max: 1_000_000, min: 1 })
    .default(defaults.connections.max)
    .describe('connections at a time: 2000'),
  MAX_ADDRESS_CONNECTIONS: integer({ max: 1_000_000, min: 1 })
    .default(defaults.connections.maxPerAddress)
    .describe('connections of one address at a time: 1000'),
  MAX_STREAMS: integer({ max: 100_000, min: 1 })
    .default(defaults.stream.maxStreams)
    .describe('streams at a time: 200'),
  MAX_ADDRESS_STREAMS: integer({ max: 100_000, min: 1 })
    .default(defaults.stream.maxPerAddress)
    .describe('streams of one address at a time: 32'),
  REDIS_URL: address(['redis:', 'rediss:'], 'must be a redis or rediss address')
    .optional()
    .describe('Valkey or Redis that processes share for quotes of a block and rate limits; none'),
  WORKERS: integer({ max: 64, min: 1 })
    .default(defaults.workers)
    .describe(
      'processes behind the port: 1; the admin port of the second is one higher, and so on',
    ),
  WEB_DIR: z
    .string()
    .default(defaults.webDir)
    .describe("folder of the pages' scripts; where the repository's are built"),
  DRAIN_DELAY_MS: integer({ max: 60_000 })
    .default(defaults.drainDelayMs)
    .describe('go on answering for so long after `/readyz` said no, when stopping: 0'),
})

/** Variables of single chains, by what stands before the chain id in their names. */
export const chainVariables = {
  RPC: httpUrls.describe("the chain's nodes, comma-separated, best first"),
  SWAP_FROM: integer({ max: 999_999_999 }).describe(
    "first block that is indexed; the Routers' creation, looked for",
  ),
}

/** Every variable and its meaning, those of single chains first. */
export const variables = [
  ...Object.entries(chainVariables).map(([name, schema]) => [`${name}_<chainId>`, schema] as const),
  ...Object.entries(environment.shape),
].map(([name, { description = '' }]) => ({ name, meaning: description }))
