/** What packages import, and whether their package.json says so. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Manifest = {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const imported = /(?:^import|\bfrom|\bimport\() ?'([a-z@][^'\n]*)'/gm

/**
 * Imports of a package's sources that work only because another package declares them, in a line each. Types alone may come
 * from what building needs.
 *
 * @param folder Of the package.
 */
export function checkDependencies(root: string, folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  const { dependencies = {}, devDependencies = {}, name, peerDependencies = {} } = manifest
  const declared = new Set(
    [dependencies, devDependencies, peerDependencies].flatMap((each) => Object.keys(each)),
  )
  const used = new Set(sourcesOf(join(root, folder, 'src')).flatMap(importsOf))
  used.delete(name)
  return [...used]
    .filter((each) => !declared.has(each))
    .map((each) => `${folder}: imports ${each}, which its package.json does not name`)
}

function importsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(imported)]
    .map(([, specifier]) => specifier!)
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name))
    .map((name) => join(folder, name))
}
