/** `npm run check`: checks whether Sluice is right on the chain of a node. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { DeployError } from '../errors.js'
import { createRpc } from '../rpc.js'
import { reportText } from './reportText.js'
import { runCheck } from './runCheck.js'
import { WrongFlagError } from './WrongFlagError.js'

const usage = `Usage: sluice check --rpc URL [--chain ID | --config FILE] [--pools N] [--sizes LIST] [--json FILE]

  --rpc     JSON-RPC URL of a node of the chain. It must take state overrides. Only reads and calls are sent.
  --chain   id of a known chain. Default: the node's chain.
  --config  another chain config, in the format of packages/deploy/chains
  --pools   pools of each venue (default 10)
  --sizes   comma-separated sizes of the swaps, in millionths of what the pool's contract holds (default 1,1000,100000)
  --json    write everything to this file: all faults, each swap, and what repeats those that differ without the node

Compares each configured address with the chain, and what Sluice computes with what the pools do. Each swap runs on the real
pool in a call that ends in a revert. Nothing is deployed, signed or sent.

Exit codes:
  0  the config has no faults, and every quoted swap agrees to the wei
  1  the check could not run
  2  a flag is wrong
  5  a fault, or a swap that differs

Examples:
  sluice check --rpc http://127.0.0.1:8545
  sluice check --rpc https://node.example --chain 8453 --pools 50 --json base.json`

const chains = fileURLToPath(new URL('../../chains/', import.meta.url))
const exitCodes = { failed: 1, usage: 2, wrong: 5 } as const
const timeoutMs = 120_000

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof WrongFlagError ? exitCodes.usage : exitCodes.failed
}

async function main() {
  const values = readFlags()
  if (values.help) return console.log(usage)
  if (!values.rpc) throw new WrongFlagError('Missing: --rpc.')
  if (!URL.canParse(values.rpc) || !/^https?:$/.test(new URL(values.rpc).protocol))
    throw new WrongFlagError('--rpc must be an http or https URL.')
  const pools = integer(values.pools, '--pools')
  const sizes = values.sizes?.split(',').map((size) => integer(size, '--sizes')!)
  const rpc = createRpc(values.rpc, { timeoutMs })
  const chainId = integer(values.chain, '--chain') ?? Number(await rpc.request<Hex>('eth_chainId'))
  const config = readConfig(values.config, chainId)
  const report = await runCheck(rpc, {
    ...{ config, pools, sizes, isRecorded: values.json !== undefined },
    onProgress: (text) => console.error(text),
  })
  if (values.json)
    writeFileSync(values.json, `${toJson({ schema: 1, configFile: config, ...report })}\n`)
  console.log(reportText(report))
  if (!report.isRight) process.exitCode = exitCodes.wrong
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
  const options = { rpc: text, chain: text, config: text, pools: text, sizes: text, json: text }
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values
  } catch (error) {
    throw new WrongFlagError((error as Error).message)
  }
}

function integer(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  throw new WrongFlagError(`${flag} must be whole numbers from 1 on, not "${text}".`)
}

/** Amounts as decimal strings. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each), 2)
}
