import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const sources = 'contracts/src/'

/**
 * Folders of `contracts/src`, each with those that its files may import beside their own. Every folder imports only what
 * stands above it here, so that there are no circles. The contracts themselves, in no folder, import all of them.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  types: [],
  interfaces: ['types'],
  libraries: ['types', 'interfaces'],
  math: ['types', 'libraries'],
  venues: ['types', 'interfaces', 'libraries', 'math'],
  optimizer: ['interfaces', 'math'],
  solver: ['types', 'interfaces', 'libraries', 'math', 'venues', 'optimizer'],
  execution: ['types', 'interfaces', 'libraries', 'math', 'venues'],
  lens: ['types', 'libraries'],
  v1: ['types', 'interfaces', 'libraries', 'math', 'execution'],
  v2: ['types', 'interfaces', 'libraries', 'math', 'venues', 'execution'],
  devnet: [],
}

/** Names every import between folders of contracts/src that the layers do not allow, and every circle of files. */
export function checkSolidity(root: string, paths: readonly string[]): string[] {
  const files = paths.filter((path) => path.startsWith(sources) && path.endsWith('.sol'))
  const imports = new Map(files.map((path) => [path, importsOf(root, path)]))
  return [
    ...files.flatMap((path) => imports.get(path)!.flatMap((target) => checkImport(path, target))),
    ...circlesIn(imports),
  ]
}

/** What each Solidity file imports, relative to the repository; packages left out. */
function importsOf(root: string, path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/^(?:import|\}).* from "(\.[^"]+)";/gm)].map(([, target]) =>
    posix.normalize(posix.join(dirname(path), target!)),
  )
}

function checkImport(path: string, target: string): string[] {
  const [from, to] = [folderOf(path), folderOf(target)]
  if (from === to || from === undefined) return []
  const allowed = mayImport[from]
  if (!allowed) return [`${path}: ${from} is not in the list of layers (tools/checkSolidity.ts)`]
  if (to !== undefined && allowed.includes(to)) return []
  const may = allowed.length === 0 ? 'nothing' : allowed.join(', ')
  return [`${path}: imports ${target}, but ${from} may import ${may} (tools/checkSolidity.ts)`]
}

/** `undefined` for the contracts that lie in no folder. */
function folderOf(path: string): string | undefined {
  const [folder, ...rest] = path.slice(sources.length).split('/')
  return rest.length === 0 ? undefined : folder
}

/** Files that import each other, as the way from one back to itself. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) circles.push(`${[...way.slice(at), path].join(' → ')}: files import each other`)
    if (at >= 0 || done.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...way, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return circles
}
