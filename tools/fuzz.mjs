#!/usr/bin/env node
/**
 * `npm run fuzz`: the contracts' properties and invariants from a fresh seed, beside the pinned one of `npm test`. Prints
 * the seed, and what repeats the run. What a failed run said is kept under `.sluice/fuzz`.
 *
 * FUZZ_SEED repeats a seed. FUZZ_RUNS is how often each property is tried (default 1,000; 10,000 for a long night). Tests
 * that price whole markets name their own number of runs, and keep it.
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
  console.error('FUZZ_RUNS must be a whole number, and FUZZ_SEED hexadecimal with 0x in front.')
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
  console.error(`The run did not start: ${error.message}`)
  process.exit(1)
})
child.on('close', (code) => {
  log.end(() => {
    if (code === 0) rmSync(path)
    else console.error(`\n✗ seed ${seed} failed. What it said is in ${path}. To repeat: ${replay}`)
    process.exit(code ?? 1)
  })
})
