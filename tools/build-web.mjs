#!/usr/bin/env node
/**
 * Builds the scripts of the pages into `apps/web/dist`, one file for each page. Does nothing if the build is newer than
 * its sources. Plain Node, because it runs before every start.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'apps/web')

/** Names of the scripts, one for each page. */
const entries = ['home', 'solvency']
/** Folders whose sources the scripts include. */
const sources = ['apps/web', 'packages/sdk', 'packages/domain', 'packages/abi', 'packages/api']

/** Builds the scripts if they are missing or out of date. If that fails, prints why; the pages work without scripts. */
export async function buildWebIfNeeded() {
  if (isFresh()) return
  try {
    await buildWeb(join(folder, 'dist'))
  } catch (error) {
    console.error(`Cannot build the scripts of the pages: ${error.message}`)
  }
}

export async function buildWeb(dist) {
  const { rolldown } = await import('rolldown')
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  for (const entry of entries) {
    const build = await rolldown({
      input: join(folder, `src/${entry}.ts`),
      platform: 'browser',
      resolve: { conditionNames: ['development', 'browser', 'import', 'default'] },
      treeshake: { moduleSideEffects: (id) => id.startsWith(join(folder, 'src')) },
    })
    await build.write({
      file: join(dist, `${entry}.js`),
      format: 'esm',
      minify: true,
      codeSplitting: false,
    })
    await build.close()
  }
}

function isFresh() {
  const built = entries.map((entry) => join(folder, `dist/${entry}.js`))
  if (!built.every(existsSync)) return false
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs))
  return sources.every((source) => newestIn(join(root, source, 'src')) < oldest)
}

function newestIn(path) {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Math.max(...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWebIfNeeded()
