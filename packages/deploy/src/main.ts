/** `npm run deploy`: deploys a generation to one chain and writes down where it stands. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Versions } from '@sluice/domain'
import type { Hex } from 'viem'
import { deployGeneration } from './deployGeneration.js'
import { addToDeploymentsFile, demandDeploymentsFile } from './deploymentsFile.js'
import { DeployError, UsageError } from './errors.js'
import { parseChainConfig } from './parseChainConfig.js'
import { createRpc } from './rpc.js'

const usage = `Usage: npm run deploy -- --rpc URL --config FILE --out FILE [--key 0x…] [--version V]

  --rpc     JSON-RPC address of a node of the chain
  --config  chain config; packages/deploy/chains has those of known chains
  --out     deployments file to add the chain to
  --key     private key of the owner, who pays; also taken from DEPLOY_KEY, which no list of processes shows.
            Without one the node's first unlocked account is used.
  --version generation, 1 or 2 (1). 2 needs the protocol's token on the chain, as "slu" in the config.

Examples:
  DEPLOY_KEY=0x… sluice deploy --rpc https://node.example --config packages/deploy/chains/8453.json --out deployments.json
  sluice deploy --rpc http://127.0.0.1:8545 --config my-chain.json --out deployments.json --version 2`

const usageExitCode = 2

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof UsageError ? usageExitCode : 1
}

async function main() {
  const options = readOptions()
  if (!options) return
  const { rpc: url, config: configPath, out, key, version } = options
  const config = parseChainConfig(readConfig(configPath))
  demandDeploymentsFile(out)
  const { deployments, transactions } = await deployGeneration(createRpc(url), {
    config,
    key,
    version,
    onProgress: (text) => console.error(text),
  })
  addToDeploymentsFile(out, deployments)

  const chain = deployments.chains[config.chainId]!
  console.log(`${version} on ${config.name} (${config.chainId})`)
  for (const [name, address] of Object.entries(chain.versions[version]!))
    console.log(`  ${name.padEnd(10)} ${address}`)
  console.log(
    transactions.length > 0
      ? `${transactions.length} transactions sent; written to ${out}`
      : `All of it was there already and nothing was sent; written to ${out}`,
  )
}

function readOptions() {
  const values = readFlags()
  if (values.help) {
    console.log(usage)
    return undefined
  }
  const { rpc, config, out } = values
  if (!rpc || !config || !out) {
    const missing = (['rpc', 'config', 'out'] as const).filter((name) => !values[name])
    throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}.`)
  }
  const version = Versions.find(values.version ?? Versions.defaultVersion)
  if (version === undefined)
    throw new UsageError(`--version must be one of ${Versions.names.join(', ')}.`)
  const key = (values.key ?? process.env['DEPLOY_KEY']) as Hex | undefined
  return { rpc, config, out, key, version }
}

function readFlags() {
  const text = { type: 'string' } as const
  const options = { rpc: text, config: text, out: text, key: text, version: text }
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\.?$/, '.'))
  }
}

function readConfig(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new DeployError(
      'BAD_CONFIG',
      `${path} cannot be read as JSON: ${(error as Error).message}`,
    )
  }
}
