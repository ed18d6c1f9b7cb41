import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The built service's program. */
export const main = join(root, 'packages/server/dist/main.js')

/**
 * Runs the build of `npm run build` if there is none, or if the sources are newer. Without the development dependencies
 * it cannot build and uses the existing build.
 *
 * @returns Whether a built service exists.
 */
export function ensureBuilt() {
  if (existsSync(join(root, 'node_modules/typescript')) && !isFresh()) {
    const { status } = spawnSync(process.execPath, [join(root, 'tools/build.mjs')], {
      cwd: root,
      // Keeps stdout free for the service's own output.
      stdio: ['ignore', 2, 'inherit'],
    })
    if (status !== 0) process.exit(1)
  }
  return existsSync(main)
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
