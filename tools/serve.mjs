#!/usr/bin/env node
/**
 * `npm run serve`: runs the built service, and builds it first if that was not done or the sources are newer. Without
 * the development dependencies nothing can be built, and what is there is run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const main = join(root, 'packages/server/dist/main.js')

if (existsSync(join(root, 'node_modules/typescript')) && !isFresh()) build()
if (!existsSync(main)) {
  console.error(
    'Nothing is built: run `npm ci && npm run build` first, then leave out what only building needs.',
  )
  process.exit(1)
}
// Workers are started as this process was, and have nothing to build.
process.argv[1] = main
await import(pathToFileURL(main).href)

function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'tools/build.mjs')], {
    cwd: root,
    // The service's own output is on stdout.
    stdio: ['ignore', 2, 'inherit'],
  })
  if (status !== 0) process.exit(1)
}

function isFresh() {
  if (!existsSync(main)) return false
  const built = statSync(main).mtimeMs
  const folders = readdirSync(join(root, 'packages')).map((name) =>
    join(root, 'packages', name, 'src'),
  )
  return [...folders, join(root, 'apps/web/src')].every((folder) => newestIn(folder) < built)
}

function newestIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const times = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return Math.max(0, ...times)
}
