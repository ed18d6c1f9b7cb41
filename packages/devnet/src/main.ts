/**
 * The devnet as a program.
 *
 * `devnet` starts the chains and prints what is on them; `start` also serves the API on them. Both run until they are
 * told to stop, and leave nothing behind.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DevnetError } from './errors.js'
import { chainTable, exampleQuote, summary } from './report.js'
import { type Devnet, startDevnet } from './startDevnet.js'

const usage = `Usage: devnet [devnet|start] [options]

  --port N         first of the chains' ports; 0 takes free ones (8545)
  --http-port N    port of the API in start mode; also PORT (8080)
  --block-time S   seconds between blocks (a block for each transaction)
  --chains IDS     comma-separated chain ids (8453,1,10,42161)
  --seed N         what all prices and depths follow from (1)
  --out FILE       write the deployments file, for \`npm run serve\`

Examples:
  sluice devnet --port 0 --out deployments.json
  sluice devnet start --http-port 8080 --block-time 2`

const highestPort = 65_535

type Options = NonNullable<ReturnType<typeof readOptions>>
type Stop = () => Promise<void>

/** Ends what runs, in reverse order of its start. */
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
  const devnet = await startDevnet(options.devnet)
  stops.push(devnet.stop)
  if (options.out) writeFileSync(options.out, `${JSON.stringify(devnet.deployments, null, 2)}\n`)
  const serverUrl = options.mode === 'start' ? await serve(devnet, options.httpPort) : undefined
  const seconds = (performance.now() - startedAt) / 1_000

  if (serverUrl === undefined) for (const chain of devnet.chains) console.log(chainTable(chain))
  console.log(summary(devnet))
  console.log(`Ready in ${seconds.toFixed(1)} s. Ctrl-C ends it and leaves nothing behind.`)
  if (serverUrl !== undefined) {
    console.log(`\nSluice is listening on ${serverUrl}`)
    console.log(exampleQuote(serverUrl, devnet.chains[0]!))
  }
}

/** The server is loaded only if it is asked for: the devnet alone needs no HTTP service. */
async function serve(devnet: Devnet, port: number): Promise<string> {
  const { startServer } = await import('@sluice/server')
  const server = await startServer({
    port,
    host: process.env['HOST'] ?? '127.0.0.1',
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: process.env['LOG_LEVEL'] ?? 'warn',
    publishRpc: true,
    // Without transactions there are no new blocks, and the last one is not stale for that.
    maxBlockAge: 'off',
    poolIndex: ':memory:',
    // A swap shows while whoever made it still looks; a public service keeps statistics for five minutes.
    swapIndex: { path: ':memory:' },
    swapIndexMs: 1_000,
    statsCacheMs: 1_000,
    marketData: [{ kind: 'dexscreener', name: 'devnet', url: devnet.marketUrl }],
  })
  stops.push(server.stop)
  return server.url
}

async function stopAll() {
  // Repeated signals are common: a terminal and a parent program both pass Ctrl-C on.
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
  throw new DevnetError('BAD_OPTION', `${option} takes a port up to ${highestPort}.`)
}

function integer(text: string | undefined, option: string, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^[0-9]{1,9}$/.test(text))
    throw new DevnetError('BAD_OPTION', `${option} takes a whole number, not "${text}".`)
  return Number(text)
}
