import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const sources = 'contracts/src/'

/**
 * Folders of `contracts/src`, each with the other folders that its files may import. Every folder imports only folders
 * listed before it, so there are no cycles. Contracts outside of these folders may import all of them.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  types: [],
  interfaces: ['types'],
  libraries: ['types', 'interfaces'],
  math: ['types', 'libraries'],
  venues: ['types', 'interfaces', 'libraries', 'math'],
  adapters: ['types', 'interfaces', 'libraries', 'math', 'venues'],
  optimizer: ['types', 'interfaces', 'math'],
  solver: ['types', 'interfaces', 'libraries', 'math', 'venues', 'optimizer'],
  output: ['types', 'interfaces', 'libraries', 'math', 'venues', 'solver'],
  execution: ['types', 'interfaces', 'libraries', 'math', 'venues'],
  lens: ['types', 'interfaces', 'libraries'],
  v1: ['types', 'interfaces', 'libraries', 'math', 'execution'],
  v2: ['types', 'interfaces', 'libraries', 'math', 'venues', 'execution'],
  devnet: ['adapters'],
}

/** Returns every import between folders of contracts/src that the layers forbid, and every import cycle of files. */
export function checkSolidity(root: string, paths: readonly string[]): string[] {
  const files = paths.filter((path) => path.startsWith(sources) && path.endsWith('.sol'))
  const imports = new Map(files.map((path) => [path, importsOf(root, path)]))
  return [
    ...files.flatMap((path) => imports.get(path)!.flatMap((target) => checkImport(path, target))),
    ...circlesIn(imports),
  ]
}

/** Returns the imports of a Solidity file as paths relative to the repository, without packages. */
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

/** Returns the folder of a file; `undefined` if the file is directly in contracts/src. */
function folderOf(path: string): string | undefined {
  const [folder, ...rest] = path.slice(sources.length).split('/')
  return rest.length === 0 ? undefined : folder
}

/** Returns cycles of files that import each other, each as the path from a file back to itself. */
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
