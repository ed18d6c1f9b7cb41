#!/usr/bin/env node
/**
 * `npm run fuzz`: runs the contracts' fuzz tests and invariants with a new seed; `npm test` uses a fixed one, and fewer
 * runs. Prints the seed and the command that repeats the run. Keeps the output of failed runs in `.sluice/fuzz`.
 *
 * FUZZ_SEED sets the seed. FUZZ_RUNS is the number of runs of each test (default 1,000; 10,000 for a run overnight).
 * Tests that price whole markets set their own number of runs, which FUZZ_RUNS does not change.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forge } from './platform-binary.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { FUZZ_RUNS: runs = '1000', FUZZ_SEED: seed = `0x${randomBytes(8).toString('hex')}` } =
  process.env
if (!/^\d+$/.test(runs) || !/^0x[0-9a-fA-F]{1,64}$/.test(seed)) {
  console.error('FUZZ_RUNS must be a whole number, and FUZZ_SEED must be hexadecimal with 0x.')
  process.exit(2)
}
const replay = `FUZZ_SEED=${seed} FUZZ_RUNS=${runs} npm run fuzz`
console.log(`seed ${seed}, ${runs} runs; to repeat: ${replay}`)

const folder = join(root, '.sluice/fuzz')
mkdirSync(folder, { recursive: true })
const path = join(folder, `${seed}.log`)
const log = createWriteStream(path)
log.write(`${replay}\n`)
const child = spawn(
  forge(),
  ['test', '--match-test', '^(testFuzz|invariant)', '--fuzz-seed', seed, ...process.argv.slice(2)],
  { cwd: root, env: { ...process.env, FOUNDRY_FUZZ_RUNS: runs } },
)
for (const [from, to] of [
  [child.stdout, process.stdout],
  [child.stderr, process.stderr],
]) {
  from.pipe(log, { end: false })
  from.pipe(to, { end: false })
}
child.on('error', (error) => {
  console.error(`Cannot start forge: ${error.message}`)
  process.exit(1)
})
child.on('close', (code) => {
  log.end(() => {
    if (code === 0) rmSync(path)
    else console.error(`\n✗ seed ${seed} failed. Its output is in ${path}. To repeat: ${replay}`)
    process.exit(code ?? 1)
  })
})
