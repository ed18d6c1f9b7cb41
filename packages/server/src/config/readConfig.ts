import { statSync } from 'node:fs'
import { z } from 'zod'
import { type Config, defaults } from './Config.js'
import { chainVariables, environment } from './environment.js'
import { type ConfigProblem, InvalidConfigError } from './InvalidConfigError.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Minimum pause between rounds of the swap index, in milliseconds. A shorter one would be a busy loop. */
const minIndexMs = 100

/**
 * Reads the configuration from the environment variables in `environment`. Nothing else reads the environment.
 *
 * @throws InvalidConfigError with the name of each invalid variable, never its value.
 */
export function readConfig(env: Environment = process.env): Config {
  // An empty string counts as unset everywhere: an empty host would listen on all network interfaces.
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text))
  const problems: ConfigProblem[] = []
  const both = { given, problems }
  const rpcUrls = readChains('RPC', chainVariables.RPC, both)
  const swapFirstBlocks = readChains('SWAP_FROM', chainVariables.SWAP_FROM, both)
  const settings = read(environment, given, problems)
  if (rpcUrls?.size === 0)
    problems.unshift({
      variable: 'RPC_<chainId>',
      reason: 'is not set for any chain; set for example RPC_8453',
    })
  if (settings === undefined || !rpcUrls || !swapFirstBlocks || problems.length > 0)
    throw new InvalidConfigError(problems)
  const path = given['DEPLOYMENTS']
  return {
    ...configOf(settings),
    ...{ rpcUrls, swapFirstBlocks },
    updatedAt: path === undefined ? undefined : Math.floor(statSync(path).mtimeMs),
    publishRpc: defaults.publishRpc,
  }
}

/** @returns `undefined` if there are problems, which are added to `problems`. */
function read<value>(
  schema: z.ZodType<value>,
  given: Environment,
  problems: ConfigProblem[],
): value | undefined {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  for (const { message, path } of parsed.error.issues)
    problems.push({ variable: String(path[0]), reason: message })
  return undefined
}

/** Reads all variables `NAME_<chainId>`, by chain id. */
function readChains<value>(
  name: string,
  schema: z.ZodType<value>,
  { given, problems }: { given: Environment; problems: ConfigProblem[] },
): ReadonlyMap<number, value> | undefined {
  const pattern = new RegExp(`^${name}_[1-9][0-9]{0,14}$`)
  const variables = Object.keys(given).filter((variable) => pattern.test(variable))
  const all = z.object(Object.fromEntries(variables.map((variable) => [variable, schema])))
  const values = read(all, given, problems)
  if (values === undefined) return undefined
  const chainIdOf = (variable: string) => Number(variable.slice(name.length + 1))
  return new Map(variables.map((variable) => [chainIdOf(variable), values[variable]!]))
}

function configOf(read: z.output<typeof environment>) {
  const { DATABASE_URL: url, SWAP_INDEX: path } = read
  const where = url === undefined ? { path } : { url }
  return {
    port: read.PORT,
    host: read.HOST,
    deployments: read.DEPLOYMENTS,
    baseUrl: read.BASE_URL,
    logLevel: read.LOG_LEVEL,
    logCaller: read.LOG_CALLER,
    headFreshMs: read.HEAD_FRESH_MS,
    maxBlockAge: read.MAX_BLOCK_AGE_MS,
    poolIndex: read.POOL_INDEX,
    swapIndex: path === 'off' ? undefined : where,
    swapIndexMs: Math.max(minIndexMs, read.SWAP_INDEX_MS),
    statsCacheMs: read.STATS_CACHE_MS,
    marketData: read.MARKET_DATA,
    tokenLists: read.TOKEN_LISTS,
    quoteRelay: read.QUOTE_RELAY,
    digestKey: read.DIGEST_KEY,
    docsUrl: read.DOCS_URL,
    contact: read.CONTACT,
    adminPort: read.ADMIN_PORT,
    adminHost: read.ADMIN_HOST,
    rateLimit: read.RATE_LIMIT,
    rateBurst: read.RATE_BURST,
    trustedProxies: read.TRUSTED_PROXIES,
    maxFlights: read.MAX_FLIGHTS,
    maxLoopDelayMs: read.MAX_LOOP_DELAY_MS,
    connections: { max: read.MAX_CONNECTIONS, maxPerAddress: read.MAX_ADDRESS_CONNECTIONS },
    stream: {
      ...defaults.stream,
      maxStreams: read.MAX_STREAMS,
      maxPerAddress: read.MAX_ADDRESS_STREAMS,
    },
    redisUrl: read.REDIS_URL,
    workers: read.WORKERS,
    webDir: read.WEB_DIR,
    drainDelayMs: read.DRAIN_DELAY_MS,
  }
}
