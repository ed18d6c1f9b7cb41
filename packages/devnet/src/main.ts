/**
 * The devnet as a program.
 *
 * `devnet` starts the chains and prints their tokens; `start` also serves the API. Both run until they get a signal,
 * and leave no processes or files behind.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DevnetError } from './errors.js'
import { chainTable, exampleQuote, summary } from './report.js'
import type { Devnet } from './startDevnet.js'

const usage = `Usage: devnet [devnet|start] [options]

  --port N         port of the first chain, the others follow; 0 picks free ports (default 8545)
  --http-port N    port of the API in start mode; also PORT (default 8080)
  --block-time S   seconds between blocks (default: one block for each transaction)
  --chains IDS     comma-separated chain ids (default 8453,1,10,42161)
  --seed N         seed of all prices and depths (default 1)
  --out FILE       write the deployments file, for \`npm run serve\`

Examples:
  sluice devnet --port 0 --out deployments.json
  sluice devnet start --http-port 8080 --block-time 2`

const highestPort = 65_535

type Options = NonNullable<ReturnType<typeof readOptions>>
type Stop = () => Promise<void>

/** Functions that stop what is running, in order of its start. */
const stops: Stop[] = []
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopAll)

try {
  const options = readOptions()
  if (options) await run(options)
} catch (error) {
  if (isStopping) await new Promise(() => {})
  console.error(error instanceof Error ? error.message : error)
  await Promise.all(stops.map((stop) => stop()))
  process.exit(1)
}

async function run(options: Options) {
  const startedAt = performance.now()
  // Only now, so that help and a wrong flag are answered at once.
  const { startDevnet } = await import('./startDevnet.js')
  const devnet = await startDevnet(options.devnet)
  stops.push(devnet.stop)
  if (options.out) writeFileSync(options.out, `${JSON.stringify(devnet.deployments, null, 2)}\n`)
  const serverUrl = options.mode === 'start' ? await serve(devnet, options.httpPort) : undefined
  const seconds = (performance.now() - startedAt) / 1_000

  if (serverUrl === undefined) for (const chain of devnet.chains) console.log(chainTable(chain))
  console.log(summary(devnet))
  console.log(`Ready in ${seconds.toFixed(1)} s. Ctrl-C stops everything.`)
  if (serverUrl !== undefined) {
    console.log(`\nSluice is listening on ${serverUrl}`)
    console.log(exampleQuote(serverUrl, devnet.chains[0]!))
  }
}

/** Starts the API. Imports the server only here, because the devnet alone does not need it. */
async function serve(devnet: Devnet, port: number): Promise<string> {
  const { startServer } = await import('@sluice/server')
  const server = await startServer({
    port,
    host: process.env['HOST'] ?? '127.0.0.1',
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: process.env['LOG_LEVEL'] ?? 'warn',
    publishRpc: true,
    // Without transactions there are no new blocks, so an old block is not stale.
    maxBlockAge: 'off',
    poolIndex: ':memory:',
    // Users see their swap in the statistics at once; a public service caches statistics for five minutes.
    swapIndex: { path: ':memory:' },
    swapIndexMs: 1_000,
    statsCacheMs: 1_000,
    tokenLists: devnet.chains.flatMap(({ chainId, tokens }) =>
      Object.entries(tokens).map(([symbol, { address, decimals }]) => ({
        ...{ chainId, symbol, address, decimals },
        name: `${symbol} of the devnet`,
      })),
    ),
    marketData: [{ kind: 'dexscreener', name: 'devnet', url: devnet.marketUrl }],
  })
  stops.push(server.stop)
  return server.url
}

async function stopAll() {
  // Repeated signals are common: both a terminal and a parent program forward Ctrl-C.
  if (isStopping) return
  isStopping = true
  for (const stop of stops.reverse()) await stop()
  // Nodes that were still starting are killed by their exit handlers.
  process.exit(0)
}

function readOptions() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: text,
      'http-port': text,
      'block-time': text,
      chains: text,
      seed: text,
      out: text,
      help: { type: 'boolean' },
    },
  })
  const [mode = 'devnet'] = positionals
  if (values.help) {
    console.log(usage)
    return undefined
  }
  if ((mode !== 'devnet' && mode !== 'start') || positionals.length > 1)
    throw new DevnetError('BAD_OPTION', `Unknown mode "${positionals.join(' ')}".\n\n${usage}`)
  const blockTime = values['block-time']
  return {
    mode,
    out: values.out,
    httpPort: port(values['http-port'] ?? process.env['PORT'], '--http-port', 8_080),
    devnet: {
      port: port(values.port, '--port', 8_545),
      seed: integer(values.seed, '--seed', 1),
      blockTimeMs:
        blockTime === undefined ? undefined : integer(blockTime, '--block-time', 0) * 1_000,
      chainIds: values.chains?.split(',').map((id) => integer(id, '--chains', 0)),
    },
  }
}

function port(text: string | undefined, option: string, fallback: number): number {
  const number = integer(text, option, fallback)
  if (number <= highestPort) return number
  throw new DevnetError('BAD_OPTION', `${option} must be a port up to ${highestPort}.`)
}

function integer(text: string | undefined, option: string, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^[0-9]{1,9}$/.test(text))
    throw new DevnetError('BAD_OPTION', `${option} must be a whole number, not "${text}".`)
  return Number(text)
}
