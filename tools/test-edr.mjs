#!/usr/bin/env node
/**
 * Runs the end-to-end tests on Hardhat's EDR, with the rules before Osaka and then with those since. Arguments are those of
 * `vitest run`. One worker, because these nodes run in its process and must answer in time.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { listSuites, onOneMake } from './e2eSuites.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const suites = listSuites('EDR', onOneMake)
const args = ['tools/vitest.mjs', ...suites, '--maxWorkers=1', ...process.argv.slice(2)]
for (const node of ['edr-prague', 'edr-osaka']) {
  console.log(`The end-to-end tests on ${node}:`)
  const env = { ...process.env, E2E_NODE: node }
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
