/** Checks that the tests named in docs/threat-model.md exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const cited = /`((?:test|testFuzz|invariant)_\w+)`/g
const declared = /function ((?:test|testFuzz|invariant)_\w+)\(/g

/** Returns tests that do not exist and rows that name no test, one line each. */
export function checkThreatModel(root: string): string[] {
  const text = readFileSync(join(root, 'docs/threat-model.md'), 'utf8')
  const tests = new Set(solidityIn(join(root, 'contracts/test')).flatMap((path) => namesIn(path)))
  const missing = [...text.matchAll(cited)]
    .map(([, name]) => name!)
    .filter((name) => !tests.has(name))
  const rows = text
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line) && !line.startsWith('| threat'))
  const bare = rows.filter((row) => !row.startsWith('| incident') && row.match(cited) === null)
  return [
    ...[...new Set(missing)].map((name) => `docs/threat-model.md: the test ${name} does not exist`),
    ...bare.map((row) => `docs/threat-model.md: this row names no test: ${row.slice(2, 60)}…`),
  ]
}

function namesIn(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(declared)].map(([, name]) => name!)
}

function solidityIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sol'))
    .map((name) => join(folder, name))
}
