#!/usr/bin/env node
// Runs a contract test that must fail, and exits with 1 if forge reports success: a test run that cannot fail proves
// nothing.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forge } from './platform-binary.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-canary-'))
try {
  mkdirSync(join(folder, 'test'))
  writeFileSync(
    join(folder, 'test/Canary.t.sol'),
    'pragma solidity 0.8.30; contract CanaryTest { function test_fails() external pure { assert(false); } }',
  )
  writeFileSync(
    join(folder, 'foundry.toml'),
    `[profile.default]\nsolc = "${root}tools/solc-0.8.30.cjs"\noffline = true\nauto_detect_solc = false\n`,
  )
  const run = spawnSync(forge(), ['test', '--root', folder], { encoding: 'utf8' })
  if (run.status === 0 || !run.stdout.includes('1 failed')) {
    console.error(`A test that must fail exited with ${run.status}:\n${run.stdout}${run.stderr}`)
    process.exit(1)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
