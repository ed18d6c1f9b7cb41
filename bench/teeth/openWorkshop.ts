import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inRepository } from '../lib/repository.js'
import type { Bug } from './planting.js'

/** What the long campaigns find they find in the first of their sequences, or a unit test does. */
const invariantRuns = 60
/** A failing sequence is not to be made short for a reader. */
const brief = { FOUNDRY_FUZZ_RUNS: '200', FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' }
/** Tests that hang are red too. */
const patienceMs = 900_000

/** A copy of some test files and of all that they import, in which bugs may be planted. */
export function openWorkshop(suites: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-teeth-'))
  for (const name of ['node_modules', 'tools']) symlinkSync(inRepository(name), join(folder, name))
  const settings = readFileSync(inRepository('foundry.toml'), 'utf8')
  writeFileSync(join(folder, 'foundry.toml'), withReading(settings, inRepository('')))
  for (const path of withImports(suites.map((suite) => `contracts/test/${suite}`))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), shortened(readFileSync(inRepository(path), 'utf8')))
  }

  return {
    demandGreen() {
      const { green, output } = test()
      if (!green) throw new Error(`The tests are red with no bug planted.\n${output}`)
    },

    turnsRed({ file, from, to }: Bug): boolean {
      const path = join(folder, 'contracts/src', file)
      const sound = readFileSync(path, 'utf8')
      if (sound.split(from).length !== 2)
        throw new Error(`${file} does not hold this exactly once: ${from}`)
      writeFileSync(
        path,
        sound.replace(from, () => to),
      )
      try {
        const { green, failed, output } = test()
        if (!green && !failed) throw new Error(`${file} cannot be tested with: ${to}\n${output}`)
        return failed
      } finally {
        writeFileSync(path, sound)
      }
    },

    close() {
      rmSync(folder, { recursive: true })
    },
  }

  /** Tests that take contracts from their artifacts need not be compiled again with each bug. */
  function test() {
    const { error, status, stdout, stderr } = spawnSync(
      process.execPath,
      ['tools/forge.mjs', 'test', '--dynamic-test-linking', '--fail-fast'],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: patienceMs,
        maxBuffer: 2 ** 28,
        env: { ...process.env, ...brief },
      },
    )
    const hung = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT'
    return {
      green: status === 0,
      // A compiler that fails, or a program that is stopped, says nothing about the tests.
      failed: hung || (status === 1 && stdout.includes('[FAIL')),
      output: `${stdout}\n${stderr}`.slice(0, 4_000),
    }
  }
}

export type Workshop = ReturnType<typeof openWorkshop>

/** Fixtures read bytecode out of packages, which are linked from the repository. */
function withReading(settings: string, path: string): string {
  return settings.replace(/^fs_permissions = .*$/m, () => {
    const places = ['./', path].map((place) => `{ access = "read", path = "${place}" }`)
    return `fs_permissions = [${places.join(', ')}]`
  })
}

/** The files, and all files of the repository that they import, from its root. */
function withImports(paths: readonly string[]): Set<string> {
  const found = new Set(paths)
  for (const path of found) {
    const text = readFileSync(inRepository(path), 'utf8')
    for (const [, imported] of text.matchAll(/from "(\.[^"]+)"/g))
      found.add(join(dirname(path), imported!))
  }
  return found
}

function shortened(text: string): string {
  return text.replace(/invariant\.runs = \d+/g, `invariant.runs = ${invariantRuns}`)
}
