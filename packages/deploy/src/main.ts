/** `npm run deploy`: deploys a generation to one chain and writes down where it stands. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Versions } from '@sluice/domain'
import type { Hex } from 'viem'
import { deployGeneration } from './deployGeneration.js'
import { addToDeploymentsFile } from './deploymentsFile.js'
import { DeployError } from './errors.js'
import { parseChainConfig } from './parseChainConfig.js'
import { createRpc } from './rpc.js'

const usage = `Usage: npm run deploy -- --rpc URL --config FILE --out FILE [--key 0x…] [--version V]

  --rpc     JSON-RPC address of a node of the chain
  --config  chain config; packages/deploy/chains has those of known chains
  --out     deployments file to add the chain to
  --key     private key of the owner, who pays; also taken from DEPLOY_KEY.
            Without one the node's first unlocked account is used.
  --version generation, 1 or 2 (1). 2 needs the protocol's token on the chain, as "slu" in the config.`

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main() {
  const options = readOptions()
  if (!options) return
  const { rpc: url, config: configPath, out, key, version } = options
  const config = parseChainConfig(readConfig(configPath))
  const { deployments, transactions } = await deployGeneration(createRpc(url), {
    config,
    key,
    version,
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
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      rpc: text,
      config: text,
      out: text,
      key: text,
      version: text,
      help: { type: 'boolean' },
    },
  })
  const { rpc, config, out, help } = values
  const version = Versions.find(values.version ?? Versions.defaultVersion)
  if (help || !rpc || !config || !out || !version) {
    console.error(usage)
    process.exitCode = help ? 0 : 2
    return undefined
  }
  const key = (values.key ?? process.env['DEPLOY_KEY']) as Hex | undefined
  return { rpc, config, out, key, version }
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
