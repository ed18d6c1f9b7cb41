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

/** Fewer sequences than in a normal run: a bug shows in the first sequences, or in a unit test. */
const invariantRuns = 60
/** Fewer runs for tests that price whole markets: they take the most time, and find a bug in the first runs or never. */
const maxFuzzRuns = 40
/** Failing sequences are not shrunk, because nobody reads them. */
const brief = { FOUNDRY_FUZZ_RUNS: '200', FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' }
/** Tests that hang count as failed. The timeout is this multiple of the time without a bug, and at least this long. */
const [patience, minPatienceMs] = [6, 240_000]
/** Timeout of the first run, which compiles everything. */
const firstPatienceMs = 1_800_000

/** Result of the tests with a bug; `stillborn` means that it does not compile. */
export type Outcome = 'red' | 'hung' | 'green' | 'stillborn'

/** Copies test files and all their imports to a folder, in which bugs can be inserted. */
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
    /** Hash of the sources and tests. */
    digest: sources.digest('hex'),

    demandGreen() {
      const { outcome, output } = test([])
      if (outcome !== 'green') throw new Error(`The tests fail without an inserted bug.\n${output}`)
      // Again, because the first run compiles everything.
      const started = Date.now()
      test([])
      patienceMs = Math.max(minPatienceMs, (Date.now() - started) * patience)
    },

    /**
     * Replaces a file, runs the tests, and restores the file.
     *
     * @param narrow Test files to run first, relative to `contracts/test`.
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

  /** Runs the tests. With dynamic test linking, most tests need no new compilation for each bug. */
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
    // Failures and their inputs are printed last.
    const output = `${stderr}\n${stdout}`.slice(-4_000)
    if (error && 'code' in error && error.code === 'ETIMEDOUT') return { outcome: 'hung', output }
    if (status === 0) return { outcome: 'green', output }
    // If the compiler fails or the program is killed, the tests have no result.
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

/** Allows fixtures to read bytecode from the repository's packages, which are linked into the folder. */
function withReading(settings: string, path: string): string {
  return settings.replace(/^fs_permissions = .*$/m, () => {
    const places = ['./', path].map((place) => `{ access = "read", path = "${place}" }`)
    return `fs_permissions = [${places.join(', ')}]`
  })
}

/** Returns the files and all files of the repository that they import, relative to its root. */
function withImports(paths: readonly string[]): Set<string> {
  const found = new Set(paths)
  for (const path of found) {
    const text = readFileSync(inRepository(path), 'utf8')
    for (const [, imported] of text.matchAll(/from "(\.[^"]+)"/g))
      found.add(join(dirname(path), imported!))
  }
  return found
}

/** Returns the data files of the tests, relative to the repository's root. */
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
