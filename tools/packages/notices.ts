import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * Returns the licenses of the libraries whose code a bundle contains; undefined if it contains none.
 *
 * @param modules Paths of the bundled modules.
 * @throws if a library has no license file.
 */
export function noticesOf(modules: readonly string[]): string | undefined {
  const folders = [...new Set(modules.flatMap(libraryOf))].sort()
  if (folders.length === 0) return undefined
  const notices = folders.map((folder) => {
    const { license, name, version } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each))
    const text = file && readFileSync(join(folder, file), 'utf8').trim()
    return `## ${name} ${version}, ${license}\n\n${text ?? missing(name)}\n`
  })
  return `# Licenses of the libraries in this package\n\n${[...new Set(notices)].join('\n')}`
}

function missing(name: string): never {
  throw new Error(`${name} is bundled, but has no license file.`)
}

/** Folder of the library that a module belongs to; nothing for this repository's own modules. */
function libraryOf(module: string): string[] {
  const parts = module.split(sep)
  const at = parts.lastIndexOf('node_modules')
  if (at < 0) return []
  const length = parts[at + 1]!.startsWith('@') ? 3 : 2
  const folder = parts.slice(0, at + length).join(sep)
  return existsSync(join(folder, 'package.json')) ? [folder] : []
}
