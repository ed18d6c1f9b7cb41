#!/usr/bin/env node
/**
 * Compiles venues whose npm packages contain sources without bytecode, for the devnet and the contract tests, into
 * `node_modules/.sluice/venues/<Contract>.json` (`{abi, bytecode, deployedBytecode}`). Skips files that exist. Plain
 * Node, because it runs as part of the installation.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'node_modules/.sluice/venues')
const require = createRequire(import.meta.url)

/** Each project is compiled on its own: a folder of sources, a compiler, and the files to compile. */
const projects = [
  {
    sources: 'node_modules/sphere-mezo-solidity-files/domains/aerodrome-slipstream',
    compiler: 'solc-0.7.6',
    files: ['contracts/core/CLPool.sol', 'contracts/core/CLFactory.sol'],
    settings: { evmVersion: 'istanbul', optimizer: { enabled: true, runs: 200 } },
  },
  {
    sources: 'node_modules/sphere-mezo-solidity-files/domains/aerodrome',
    compiler: 'solc-0.8.26',
    files: ['contracts/Pool.sol', 'contracts/factories/PoolFactory.sol'],
    // Other contracts in the folder import packages that are not installed.
    only: true,
    settings: { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } },
  },
  {
    sources: 'node_modules',
    compiler: 'solc-0.8.26',
    files: [
      '@balancer-labs/v3-vault/contracts/Vault.sol',
      '@balancer-labs/v3-vault/contracts/VaultExtension.sol',
      '@balancer-labs/v3-vault/contracts/VaultAdmin.sol',
      '@balancer-labs/v3-vault/contracts/ProtocolFeeController.sol',
      '@balancer-labs/v3-pool-weighted/contracts/WeightedPool.sol',
      '@balancer-labs/v3-pool-stable/contracts/StablePool.sol',
    ],
    only: true,
    // Optimized for its size, without which the Vault is larger than a contract may be.
    settings: { viaIR: true, evmVersion: 'cancun', optimizer: { enabled: true, runs: 1 } },
  },
]

/** Compiles the missing contracts. */
export function buildVenuesIfNeeded() {
  for (const project of projects)
    if (project.files.some((file) => !existsSync(artifactPath(file)))) build(project)
}

function build({ sources, compiler, files, settings, only = false }) {
  console.log(`Compiling ${files.map(contractOf).join(', ')} …`)
  // The optimizer recurses deeper than the default stack.
  setFlagsFromString('--stack-size=4000')
  const solc = require(`${compiler}/wrapper.js`)(require(`${compiler}/soljson.js`))
  const selection = { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] }
  const input = {
    language: 'Solidity',
    sources: only ? pick(join(root, sources), files) : readSources(join(root, sources)),
    settings: {
      ...settings,
      outputSelection: Object.fromEntries(files.map((file) => [file, selection])),
    },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: importFrom(join(root, sources)) }),
  )
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  mkdirSync(folder, { recursive: true })
  for (const file of files) {
    const { abi, evm } = output.contracts[file][contractOf(file)]
    const artifact = {
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
    }
    writeFileSync(artifactPath(file), JSON.stringify(artifact))
  }
}

function readSources(base) {
  const paths = readdirSync(base, { recursive: true }).filter((path) => path.endsWith('.sol'))
  return Object.fromEntries(
    paths.map((path) => [
      relative(base, join(base, path)).split(sep).join('/'),
      { content: readFileSync(join(base, path), 'utf8') },
    ]),
  )
}

function pick(base, files) {
  return Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(join(base, file), 'utf8') }]),
  )
}

/** Resolves an import of a source: in its own project, or among the installed packages. */
function importFrom(base) {
  return (path) => {
    const found = [join(base, path), join(root, 'node_modules', path)].find(existsSync)
    return found ? { contents: readFileSync(found, 'utf8') } : { error: `${path} does not exist` }
  }
}

function contractOf(file) {
  return file.slice(file.lastIndexOf('/') + 1, -'.sol'.length)
}

function artifactPath(file) {
  return join(folder, `${contractOf(file)}.json`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildVenuesIfNeeded()
