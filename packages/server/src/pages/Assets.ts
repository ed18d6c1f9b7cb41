import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The scripts of the pages, as they were built. */
export type Assets = {
  /** Where a script is served: its content is in the name, so it never changes. `undefined` if it was not built. */
  readonly pathOf: (name: string) => string | undefined
  /** What a script imports at once, with what that imports: a page asks for all of it together. */
  readonly importsOf: (path: string) => readonly string[]
  /** Contents by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Reads the scripts of a folder once. An absent folder has none, and the pages do without. */
export function readAssets(folder: string): Assets {
  const found = existsSync(folder) ? readdirSync(folder) : []
  const files = new Map<string, string>()
  const paths = new Map<string, string>()
  for (const file of found) {
    // The build writes a digest of the content behind the name; scripts load one another by these names.
    const name = /^([a-zA-Z]+)-[\w-]{8}\.js$/.exec(file)?.[1]
    if (name === undefined) continue
    const path = `/assets/${file}`
    files.set(path, readFileSync(join(folder, file), 'utf8'))
    paths.set(name, path)
  }
  return { files, pathOf: (name) => paths.get(name), importsOf: (path) => importsIn(files, path) }
}

function importsIn(files: ReadonlyMap<string, string>, path: string): readonly string[] {
  const found = new Set<string>()
  const visit = (script: string) => {
    for (const [, file] of (files.get(script) ?? '').matchAll(
      /(?:from|import) ?"\.\/([\w.-]+)"/g,
    )) {
      const imported = `/assets/${file}`
      if (found.has(imported)) continue
      found.add(imported)
      visit(imported)
    }
  }
  visit(path)
  return [...found]
}
