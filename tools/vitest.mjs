#!/usr/bin/env node
/**
 * Runs the TypeScript tests, with the arguments of `vitest run`. Test files of which a test failed run once more, alone: a
 * test that passes then was disturbed by the load of the others. It is named at the end, so that somebody can mend it. Tests
 * of properties and at random times draw new cases in each run, so a failure of one is final. Exits with 1 if a test failed
 * for good.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** More files than this do not fail because of the machine. */
const maxFiles = 3

const folder = mkdtempSync(join(tmpdir(), 'sluice-tests-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const args = process.argv.slice(2)
const first = run('first', args)
if (first.status !== 0) {
  const { files, isFinal } = first
  if (isFinal || files.length === 0 || files.length > maxFiles) process.exit(1)
  console.log(`\n── once more, alone: ${files.join(', ')}`)
  const flags = args.filter((arg) => arg.startsWith('--') && !arg.startsWith('--maxWorkers'))
  if (run('second', [...files, '--maxWorkers=1', ...flags]).status !== 0) process.exit(1)
  console.log('\nThese tests passed alone, but failed when they ran in parallel with others:')
  for (const title of first.titles) console.log(`  ${title}`)
}

/** Runs Vitest, and reads from its report which tests failed. */
function run(name, args) {
  const report = join(folder, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters]
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  if (status === 0) return { status }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failedFiles = testResults.filter((file) => file.status === 'failed')
  const failed = failedFiles.flatMap((file) =>
    file.assertionResults.filter((result) => result.status === 'failed'),
  )
  return {
    status,
    files: failedFiles.map((file) => relative(root, file.name)),
    titles: failed.map(({ fullName }) => fullName),
    isFinal: failed.some(({ title }) => /^property\b|random/.test(title)),
  }
}
