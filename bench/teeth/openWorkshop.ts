import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inRepository } from '../lib/repository.js'

/** What the long campaigns find they find in the first of their sequences, or a unit test does. */
const invariantRuns = 60
/** Tests that price whole markets take the most time, and see a bug in the first of them or not at all. */
const maxFuzzRuns = 40
/** A failing sequence is not to be made short for a reader. */
const brief = { FOUNDRY_FUZZ_RUNS: '200', FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' }
/** Tests that hang are red too: they take so many times as long as with no bug, and this long. */
const [patience, minPatienceMs] = [6, 240_000]
/** For the first run, which compiles everything. */
const firstPatienceMs = 1_800_000

/** What tests say of a bug; `stillborn` is one that does not compile. */
export type Outcome = 'red' | 'hung' | 'green' | 'stillborn'

/** A copy of some test files and of all that they import, in which bugs may be planted. */
export function openWorkshop(suites: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-teeth-'))
  for (const name of ['node_modules', 'tools']) symlinkSync(inRepository(name), join(folder, name))
  const settings = withReading(readFileSync(inRepository('foundry.toml'), 'utf8'), inRepository(''))
  writeFileSync(join(folder, 'foundry.toml'), settings)
  const sources = createHash('sha256').update(settings)
  for (const path of withImports(suites.map((suite) => `contracts/test/${suite}`))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    const text = shortened(readFileSync(inRepository(path), 'utf8'))
    writeFileSync(join(folder, path), text)
    sources.update(path).update(text)
  }
  for (const path of dataOfTests()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    const data = readFileSync(inRepository(path))
    writeFileSync(join(folder, path), data)
    sources.update(path).update(data)
  }
  let patienceMs = firstPatienceMs

  return {
    /** Tells these sources and tests from others. */
    digest: sources.digest('hex'),

    demandGreen() {
      const { outcome, output } = test([])
      if (outcome !== 'green') throw new Error(`The tests are red with no bug planted.\n${output}`)
      // Again, because the first run compiles everything.
      const started = Date.now()
      test([])
      patienceMs = Math.max(minPatienceMs, (Date.now() - started) * patience)
    },

    /**
     * What the tests say while a file is another.
     *
     * @param narrow Test files that are asked first, named from `contracts/test`.
     */
    plant(file: string, text: string, narrow: readonly string[] = []): Outcome {
      const path = join(folder, 'contracts/src', file)
      const sound = readFileSync(path, 'utf8')
      writeFileSync(path, text)
      try {
        if (narrow.length > 0 && narrow.length < suites.length) {
          const { outcome } = test(narrow)
          if (outcome !== 'green') return outcome
        }
        return test([]).outcome
      } finally {
        writeFileSync(path, sound)
      }
    },

    close() {
      rmSync(folder, { recursive: true })
    },
  }

  /** Tests that take contracts from their artifacts need not be compiled again with each bug. */
  function test(narrow: readonly string[]): { outcome: Outcome; output: string } {
    const matching = narrow.length > 0 ? ['--match-path', `{${narrow.map(inTests).join(',')}}`] : []
    const { error, status, stdout, stderr } = spawnSync(
      process.execPath,
      ['tools/forge.mjs', 'test', '--dynamic-test-linking', '--fail-fast', ...matching],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: patienceMs,
        maxBuffer: 2 ** 28,
        env: { ...process.env, ...brief },
      },
    )
    const output = `${stdout}\n${stderr}`.slice(0, 4_000)
    if (error && 'code' in error && error.code === 'ETIMEDOUT') return { outcome: 'hung', output }
    if (status === 0) return { outcome: 'green', output }
    // A compiler that fails, or a program that is stopped, says nothing about the tests.
    const isRed = status === 1 && stdout.includes('[FAIL')
    if (isRed) return { outcome: 'red', output }
    if (/compil(er|ation)( run)? failed|Error \(\d+\):/i.test(`${stdout}${stderr}`))
      return { outcome: 'stillborn', output }
    throw new Error(`The tests cannot be run.\n${output}`)
  }
}

export type Workshop = ReturnType<typeof openWorkshop>

function inTests(suite: string): string {
  return `contracts/test/${suite}`
}

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

/** What tests read from beside themselves, from the repository's root. */
function dataOfTests(): string[] {
  const entries = readdirSync(inRepository('contracts/test'), { recursive: true, encoding: 'utf8' })
  return entries
    .filter((name) => name.endsWith('.json'))
    .map((name) => `contracts/test/${name}`)
    .sort()
}

function shortened(text: string): string {
  return text
    .replace(/invariant\.runs = \d+/g, `invariant.runs = ${invariantRuns}`)
    .replace(
      /fuzz\.runs = (\d+)/g,
      (_, runs: string) => `fuzz.runs = ${Math.min(Number(runs), maxFuzzRuns)}`,
    )
}
