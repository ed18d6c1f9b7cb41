/** `npm run deploy`: deploys a generation to one chain and writes its addresses to a file. */
import { readFileSync } from 'node:fs'
import { Versions } from '@sluice/domain'
import { deployGeneration } from './deployGeneration.js'
import { addToDeploymentsFile, demandDeploymentsFile } from './deploymentsFile.js'
import { DeployError, UsageError } from './errors.js'
import { addressOf, parseFlags, readSigner } from './flags.js'
import { parseChainConfig } from './parseChainConfig.js'
import { createRpc } from './rpc.js'

const usage = `Usage: npm run deploy -- --rpc URL --config FILE --out FILE --owner ADDRESS [--guardian ADDRESS]
         [--key-file FILE | --from ADDRESS] [--version V]

  --rpc       JSON-RPC URL of a node of the chain
  --config    chain config; packages/deploy/chains has configs of known chains
  --out       deployments file to which the chain is added
  --owner     owner of the Hub, for example a Safe. The deployer has no power once the Hub is configured.
              Default: the deployer.
  --guardian  account that may pause swaps, and nothing else. Default: nobody besides the owner.
  --key-file  file with the private key of the deployer, who pays for gas; or set the variable DEPLOY_KEY.
              Without a key, an account of the node signs: an unlocked one, or one of a hardware wallet behind the node.
  --from      account of the node that signs. Default: its first account.
  --version   generation, 1 or 2. Default: 1. 2 needs the protocol's token on the chain, as "slu" in the config.

The same deployer gets the same addresses on every chain. 2.0.0 is deployed alongside 1.0.0.

Examples:
  sluice deploy --rpc https://node.example --config packages/deploy/chains/8453.json --out deployments.json --key-file deployer.key --owner 0x…
  sluice deploy --rpc http://127.0.0.1:8545 --config my-chain.json --out deployments.json --version 2`

const usageExitCode = 2

try {
  await main()
} catch (error) {
  const isUsage = error instanceof UsageError
  const message = error instanceof Error ? error.message : error
  console.error(isUsage ? `${message} See npm run deploy -- --help.` : message)
  process.exitCode = isUsage ? usageExitCode : 1
}

async function main() {
  const options = readOptions()
  if (!options) return
  const { rpc: url, config: configPath, out, version, ...accounts } = options
  const config = parseChainConfig(readConfig(configPath))
  demandDeploymentsFile(out)
  const { deployer, deployments, owner, transactions } = await deployGeneration(createRpc(url), {
    config,
    ...accounts,
    version,
    onProgress: (text) => console.error(text),
  })
  addToDeploymentsFile(out, deployments)

  const chain = deployments.chains[config.chainId]!
  console.log(`${version} on ${config.name} (${config.chainId})`)
  for (const [name, address] of Object.entries(chain.versions[version]!))
    console.log(`  ${name.padEnd(10)} ${address}`)
  console.log(
    owner === deployer
      ? `Owner of the Hub: ${owner}, the account that deployed it. Pass --owner to choose another one.`
      : `Owner of the Hub: ${owner}. The deployer ${deployer} has no power over it.`,
  )
  console.log(
    transactions.length > 0
      ? `${transactions.length} transactions sent; written to ${out}`
      : `Everything was already deployed, no transactions sent; written to ${out}`,
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
  const signer = readSigner(values)
  const owner = addressOf(values.owner, '--owner')
  const guardian = addressOf(values.guardian, '--guardian')
  return { rpc, config, out, ...signer, owner, guardian, version }
}

function readFlags() {
  const text = { type: 'string' } as const
  const options = {
    ...{ rpc: text, config: text, out: text, version: text },
    ...{ owner: text, guardian: text, from: text, 'key-file': text },
  }
  return parseFlags({ ...options, help: { type: 'boolean' } })
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
