import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The scripts of the pages, as they were built. */
export type Assets = {
  /** Where a script is served: its content is in the name, so it never changes. `undefined` if it was not built. */
  readonly pathOf: (name: string) => string | undefined
  /** Contents by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Reads the scripts of a folder once. An absent folder has none, and the pages do without. */
export function readAssets(folder: string): Assets {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^[a-z]+\.js$/.test(file))
    : []
  const files = new Map<string, string>()
  const paths = new Map<string, string>()
  for (const file of names) {
    const text = readFileSync(join(folder, file), 'utf8')
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const name = file.replace(/\.js$/, '')
    const path = `/assets/${name}.${digest}.js`
    files.set(path, text)
    paths.set(name, path)
  }
  return { files, pathOf: (name) => paths.get(name) }
}
