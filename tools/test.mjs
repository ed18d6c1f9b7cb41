#!/usr/bin/env node
/**
 * `npm test`: installs what is missing, and runs all checks and all tests, including those of the contracts. Plain Node,
 * because it runs before the dependencies are installed. Exits with 1 as soon as a step fails.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildWebIfNeeded } from './build-web.mjs'
import {
  demandNode,
  installBrowserIfPossible,
  installIfNeeded,
  installStoresIfPossible,
} from './install.mjs'
import { forge } from './platform-binary.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = (path) => [process.execPath, '--conditions=development', '--import', 'tsx', path]
const tool = (name, ...args) => [process.execPath, `tools/${name}.mjs`, ...args]

const steps = [
  ['format and lint of TypeScript', tool('biome', 'ci', '--error-on-warnings')],
  ['format of Solidity', tool('forge', 'fmt', '--check')],
  ['types', [process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  [
    'types of the web page',
    [process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'apps/web/tsconfig.json'],
  ],
  ['layers and file sizes', program('tools/check-structure.ts')],
  ['a failing contract test fails the run', tool('check-canary')],
  [
    'release build of the contracts',
    tool('forge', 'build', '--force', 'contracts/src'),
    { FOUNDRY_PROFILE: 'release' },
  ],
  ['generated ABIs are up to date', [...program('tools/generate-abi.ts'), '--check']],
  ['TypeScript', tool('vitest')],
  // `npm run snapshots` updates the gas snapshots.
  ['contracts, and their gas', tool('forge', 'test'), { FORGE_SNAPSHOT_CHECK: 'true' }],
]

demandNode()
installIfNeeded()
installStoresIfPossible()
installBrowserIfPossible()
await buildWebIfNeeded()
// Compiling the contracts' tests takes five minutes on one core, so it runs in parallel with the other steps.
const compiling = compile()
for (const [title, [command, ...args], variables] of steps) {
  const started = Date.now()
  if (title.startsWith('contracts')) await compiling
  console.log(`\n── ${title}`)
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (status !== 0) {
    console.error(`\n✗ ${title} failed after ${seconds} s${error ? `: ${error.message}` : ''}`)
    process.exit(1)
  }
  console.log(`✓ ${title} (${seconds} s)`)
}
console.log('\nEverything passed.')
console.log('The end-to-end tests on geth did not run: `node tools/test-geth.mjs` runs them.')
for (const chainId of chainsWithoutFork())
  console.log(
    `No test ran on a fork of chain ${chainId}: set RPC_${chainId}_FORK to the URL of a node.`,
  )

/** Known chains of which no node is named; `e2e/fork.test.ts` forks the others. */
function chainsWithoutFork() {
  return readdirSync(`${root}/packages/deploy/chains`)
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .filter((chainId) => !process.env[`RPC_${chainId}_FORK`])
}

/** Compiles the contracts' tests. Resolves when done, even after an error: the step that runs the tests reports it. */
function compile() {
  const compiler = spawn(forge(), ['build'], { cwd: root, stdio: 'ignore' })
  process.on('exit', () => compiler.kill())
  return new Promise((resolve) => {
    compiler.on('exit', resolve)
    compiler.on('error', resolve)
  })
}
