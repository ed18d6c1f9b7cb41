/** Checks that package.json declares what a package imports. */
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
 * Returns imports that a package's package.json does not declare, one line each. They work only because another package
 * declares them. Development dependencies count as declared, for imports that need only types.
 *
 * @param folder Folder of the package.
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
    .map((each) => `${folder}: imports ${each}, which its package.json does not declare`)
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
