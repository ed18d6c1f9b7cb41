/** `npm run check`: checks whether Sluice is right on the chain of a node. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { DeployError } from '../errors.js'
import { toJson } from '../toJson.js'
import { parseRouters, routerNames } from './hindsight/routers.js'
import { WrongFlagError } from './WrongFlagError.js'

const usage = `Usage: sluice check --rpc URL [--chain ID | --config FILE] [--pools N] [--sizes LIST] [--json FILE]
       sluice check --rpc URL --hindsight FROM TO [--chain ID | --config FILE] [--routers LIST] [--most N] [--json FILE]

  --rpc        JSON-RPC URL of a node of the chain. It must take state overrides. Only reads and calls are sent.
  --chain      id of a known chain. Default: the node's chain.
  --config     another chain config, in the format of packages/deploy/chains
  --pools      pools of each venue (default 10)
  --sizes      comma-separated sizes of the swaps, in millionths of what the pool's contract holds (default 1,1000,100000)
  --json       write everything to this file: all faults, each swap, and what repeats those that differ without the node
  --hindsight  numbers of the first and the last block in which to look for swaps of other routers. The node must keep the
               state of these blocks.
  --routers    comma-separated addresses of these routers, or names: ${routerNames.join(', ')}.
               Default: all transactions that swap on a venue whose events are known.
  --most       swaps to compare, spread over the range (default 100)

Compares each configured address with the chain, and what Sluice computes with what the pools do. Each swap runs on the real
pool in a call that ends in a revert. Nothing is deployed, signed or sent.

With --hindsight, compares what swaps of other routers paid with what Sluice would have paid at the block before, and after
the swap's own block.

Exit codes:
  0  the config has no faults, and every quoted swap agrees to the wei; with --hindsight: swaps were compared, or there are none
  1  the check could not run
  2  a flag is wrong
  5  a fault, or a swap that differs; with --hindsight: there are swaps, and none could be compared

Examples:
  sluice check --rpc http://127.0.0.1:8545
  sluice check --rpc https://node.example --chain 8453 --pools 50 --json base.json
  sluice check --rpc https://node.example --hindsight 38000000 38000100 --routers 1inch,odos --json hindsight.json`

const chains = fileURLToPath(new URL('../../chains/', import.meta.url))
const exitCodes = { failed: 1, usage: 2, wrong: 5 } as const
const timeoutMs = 120_000
const maxBlocks = 10_000
const poolFlags = ['pools', 'sizes'] as const
const hindsightFlags = ['routers', 'most'] as const

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof WrongFlagError ? exitCodes.usage : exitCodes.failed
}

async function main() {
  const { positionals, values } = readFlags()
  if (values.help) return console.log(usage)
  if (!values.rpc) throw new WrongFlagError('Missing: --rpc.')
  if (!URL.canParse(values.rpc) || !/^https?:$/.test(new URL(values.rpc).protocol))
    throw new WrongFlagError('--rpc must be an http or https URL.')
  const range = readRange(values.hindsight, positionals)
  demandKind(values, range === undefined ? hindsightFlags : poolFlags)
  const pools = integer(values.pools, '--pools')
  const sizes = values.sizes?.split(',').map((size) => integer(size, '--sizes')!)
  const most = integer(values.most, '--most')
  const routers = values.routers === undefined ? undefined : parseRouters(values.routers)
  // Only now, so that help and a wrong flag are answered at once.
  const { createRpc } = await import('../rpc.js')
  const rpc = createRpc(values.rpc, { timeoutMs })
  const chainId = integer(values.chain, '--chain') ?? Number(await rpc.request<Hex>('eth_chainId'))
  const config = readConfig(values.config, chainId)
  const onProgress = (text: string) => console.error(text)
  const shared = { config, isRecorded: values.json !== undefined, onProgress }
  if (range === undefined) {
    const [{ runCheck }, { reportText }] = await Promise.all([
      import('./runCheck.js'),
      import('./reportText.js'),
    ])
    const report = await runCheck(rpc, { ...shared, pools, sizes })
    write(values.json, { configFile: config, ...report })
    console.log(reportText(report))
    if (!report.isRight) process.exitCode = exitCodes.wrong
  } else {
    const [{ runHindsight }, { hindsightText }] = await Promise.all([
      import('./hindsight/runHindsight.js'),
      import('./hindsight/hindsightText.js'),
    ])
    const report = await runHindsight(rpc, { ...shared, ...range, most, routers })
    write(values.json, { kind: 'hindsight', configFile: config, ...report })
    console.log(hindsightText(report))
    if (report.swaps.length > 0 && report.swaps.every(({ before }) => 'failed' in before))
      process.exitCode = exitCodes.wrong
  }
}

function write(file: string | undefined, report: object): void {
  if (file !== undefined) writeFileSync(file, `${toJson({ schema: 1, ...report })}\n`)
}

/** The blocks of `--hindsight`; `undefined` without it. */
function readRange(
  first: string | undefined,
  [last, ...rest]: readonly string[],
): { from: number; to: number } | undefined {
  if (first === undefined && last === undefined) return undefined
  if (first === undefined || rest.length > 0)
    throw new WrongFlagError(`"${rest[0] ?? last}" belongs to no flag.`)
  if (last === undefined)
    throw new WrongFlagError('--hindsight takes two numbers of blocks: FROM TO.')
  const [from, to] = [integer(first, '--hindsight')!, integer(last, '--hindsight')!]
  if (from > to)
    throw new WrongFlagError(`--hindsight must name the earlier block first, not ${from} ${to}.`)
  if (to - from >= maxBlocks)
    throw new WrongFlagError(
      `--hindsight takes at most ${maxBlocks} blocks, not ${to - from + 1}. Look at parts of the range.`,
    )
  return { from, to }
}

/** Rejects flags of the other kind of check. */
function demandKind(
  values: Readonly<Record<string, string | boolean | undefined>>,
  others: readonly string[],
): void {
  const other = others.find((flag) => values[flag] !== undefined)
  if (other === undefined) return
  const isOfHindsight = others === hindsightFlags
  throw new WrongFlagError(
    `--${other} is of no use ${isOfHindsight ? 'without' : 'with'} --hindsight.`,
  )
}

function readConfig(file: string | undefined, chainId: number): unknown {
  const path = file ?? `${chains}${chainId}.json`
  if (file === undefined && !existsSync(path))
    throw new WrongFlagError(`Chain ${chainId} has no built-in config. Pass one with --config.`)
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = (error as Error).message
    throw new DeployError('BAD_CONFIG', `${path} cannot be read as JSON: ${reason}`)
  }
}

function readFlags() {
  const text = { type: 'string' } as const
  const options = {
    ...{ rpc: text, chain: text, config: text, pools: text, sizes: text, json: text },
    ...{ hindsight: text, routers: text, most: text, help: { type: 'boolean' } as const },
  }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new WrongFlagError((error as Error).message)
  }
}

function integer(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  throw new WrongFlagError(`${flag} must be whole numbers from 1 on, not "${text}".`)
}
