#!/usr/bin/env node
/**
 * Runs the end-to-end tests on geth. Installs geth with Go into `.sluice/bin` if it is missing there and on the PATH.
 * Without Go, says that these tests did not run. Arguments are those of `vitest run`; a test file among them replaces the
 * list of all.
 */
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listSuites, onOneMake } from './e2eSuites.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, '.sluice/bin')
/** Has the forks up to Osaka, and `testing_commitBlockV1`, with which the devnet mines. */
const geth = 'github.com/ethereum/go-ethereum/cmd/geth@v1.17.10'

const noStateChanges = 'geth changes code, storage and balances by transactions only'
const leftOut = {
  ...onOneMake,
  accounts: noStateChanges,
  announce: noStateChanges,
  proposedCurves: noStateChanges,
  hostileTokens: noStateChanges,
  safeToSign: noStateChanges,
}

const path = [folder, process.env.PATH ?? ''].join(delimiter)
const env = { ...process.env, PATH: path, E2E_NODE: 'geth' }
if (!install()) process.exit(0)
const args = process.argv.slice(2)
const chosen = args.filter((arg) => !arg.startsWith('-'))
const suites = chosen.length > 0 ? [] : listSuites('geth', leftOut)
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
