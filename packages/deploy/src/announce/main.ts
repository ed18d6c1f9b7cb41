/** `npm run announce`: makes pools of Uniswap V4 with hooks known to their adapter. */
import type { Hex } from 'viem'
import { UsageError } from '../errors.js'
import { parseFlags, readSigner } from '../flags.js'
import type { AnnounceOptions } from './runAnnounce.js'

const usage = `Usage: sluice announce --rpc URL --deployments FILE --pool ID [--pool ID …] [--key-file FILE | --from ADDRESS]
         [--dry-run] [--from-block BLOCK] [--json FILE]

  --rpc          JSON-RPC URL of a node of the chain
  --deployments  deployments file with the chain, as the deploy command wrote it
  --pool         id of a pool of Uniswap V4 with hooks: 32 bytes in hex, with 0x. Can be repeated.
  --key-file     file with the private key of the account that pays for gas; or set the variable DEPLOY_KEY
  --from         account of the node that signs, in place of a key: an unlocked one, or one of a hardware wallet behind the
                 node. Without a key and --from, nothing is sent.
  --dry-run      send nothing; say what would be sent, and its gas
  --from-block   block in which the pools were created, or one before it. Needed if the node does not give the logs of many
                 blocks. Default: the newest blocks are searched first.
  --json         write the result to this file

Sluice trades on a pool with hooks if a position was ever held in it, or if anyone has announced it. So announce pools whose
hooks keep all reserves themselves. One transaction for each pool, once; anyone may send it. Pools that are known are left out.

Exit codes:
  0  the pools are known, or nothing was to be sent
  1  another error. The same command can be run again: it leaves out what was announced.
  2  a flag is wrong

Examples:
  sluice announce --rpc https://node.example --deployments deployments.json --pool 0x… --dry-run
  sluice announce --rpc https://node.example --deployments deployments.json --pool 0x… --pool 0x… --key-file announcer.key`

const exitCodes = { failed: 1, usage: 2 } as const

try {
  await main()
} catch (error) {
  const isUsage = error instanceof UsageError
  const message = error instanceof Error ? error.message : error
  console.error(isUsage ? `${message} See sluice announce --help.` : message)
  process.exitCode = isUsage ? exitCodes.usage : exitCodes.failed
}

async function main() {
  const options = readOptions()
  if (options === undefined) return console.log(usage)
  // Only now, so that help and a wrong flag are answered at once.
  const { runAnnounce } = await import('./runAnnounce.js')
  await runAnnounce(options)
}

function readOptions(): AnnounceOptions | undefined {
  const values = readFlags()
  if (values.help) return undefined
  const { rpc: url, deployments, pool: pools, json } = values
  if (!url || !deployments || !pools) {
    const missing = (['rpc', 'deployments', 'pool'] as const).filter((name) => !values[name])
    throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}.`)
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError('--rpc must be an http or https URL.')
  const signer = readSigner(values)
  const isDryRun =
    values['dry-run'] === true || (signer.key === undefined && signer.from === undefined)
  const fromBlock = blockOf(values['from-block'])
  return { url, deployments, pools: pools.map(idOf), json, ...signer, isDryRun, fromBlock }
}

function readFlags() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  return parseFlags({
    ...{ rpc: text, deployments: text, pool: { ...text, multiple: true } as const },
    ...{ 'key-file': text, from: text, 'from-block': text, json: text },
    ...{ 'dry-run': flag, help: flag },
  })
}

function idOf(text: string): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hex
  throw new UsageError(`--pool must be the id of a pool, 32 bytes in hex with 0x, not "${text}".`)
}

function blockOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,12}$/.test(text)) return Number(text)
  throw new UsageError(`--from-block must be the number of a block, not "${text}".`)
}
