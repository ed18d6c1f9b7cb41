#!/usr/bin/env node
/**
 * Runs the end-to-end tests on geth. Installs geth with Go into `.sluice/bin` if it is missing there and on the PATH.
 * Without Go, says that these tests did not run. Arguments are those of `vitest run`; a test file among them replaces the
 * list of all.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, '.sluice/bin')
/** Has the forks up to Osaka, and `testing_commitBlockV1`, with which the devnet mines. */
const geth = 'github.com/ethereum/go-ethereum/cmd/geth@v1.17.10'

const noStateChanges = 'geth changes code, storage and balances by transactions only'
const sameRequests = 'it sends a node no request that other suites do not send'
/** Suites that do not run on geth, and why. */
const leftOut = {
  accounts: noStateChanges,
  bins: sameRequests,
  examples: sameRequests,
  fork: 'a fork is an Anvil node',
  holdAnswers: sameRequests,
  hostileTokens: noStateChanges,
  integrating: sameRequests,
  mcp: sameRequests,
  mutations: sameRequests,
  mutationsExecuted: sameRequests,
  oneSchema: sameRequests,
  openapi: sameRequests,
  openapiClients: sameRequests,
  safeToSign: noStateChanges,
  symbols: sameRequests,
}

const path = [folder, process.env.PATH ?? ''].join(delimiter)
const env = { ...process.env, PATH: path, E2E_NODE: 'geth' }
if (!install()) process.exit(0)
const args = process.argv.slice(2)
const chosen = args.filter((arg) => !arg.startsWith('-'))
const suites = chosen.length > 0 ? [] : listSuites()
const { status } = spawnSync(process.execPath, ['tools/vitest.mjs', ...suites, ...args], {
  cwd: root,
  env,
  stdio: 'inherit',
})
process.exit(status ?? 1)

/** Installs geth if needed. Returns false if that is impossible because Go is missing. */
function install() {
  if (spawnSync('geth', ['version'], { env }).status === 0) return true
  if (spawnSync('go', ['version']).error) {
    console.log('THE END-TO-END TESTS DID NOT RUN ON GETH: install Go, or put geth on the PATH.')
    return false
  }
  console.log(`Installing ${geth} …`)
  const { status } = spawnSync('go', ['install', geth], {
    stdio: 'inherit',
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
  })
  if (status === 0) return true
  console.error('go install failed; see above.')
  process.exit(1)
}

/** Prints what is left out, and returns the files of the others. */
function listSuites() {
  for (const name of Object.keys(leftOut))
    if (!existsSync(join(root, `e2e/${name}.test.ts`)))
      throw new Error(`tools/test-geth.mjs leaves out ${name}, which is no suite.`)
  console.log('These suites do not run on geth:')
  for (const [name, reason] of Object.entries(leftOut)) console.log(`  ${name}: ${reason}.`)
  return readdirSync(join(root, 'e2e'))
    .filter((file) => file.endsWith('.test.ts') && !(file.slice(0, -8) in leftOut))
    .map((file) => `e2e/${file}`)
}
