import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { find, type PackageName, root } from './published.js'

/**
 * Returns the package.json of a published package. Unlike the one in the repository, it has no `development` condition,
 * which would point to sources, and no dependency on the repository's other packages.
 *
 * @param repository URL of the public repository. npm compares it with the provenance of the release.
 */
export function manifestOf(name: PackageName, repository?: string) {
  const { bins, description, entries, keywords } = find(name)
  const own = readManifest(name)
  const exports = Object.entries(entries).map(([entry, path]) => [
    entry === 'index' ? '.' : `./${entry}`,
    { types: `./${path}.d.ts`, default: `./${entry}.js` },
  ])
  const programs = Object.keys(bins).map((bin) => [bin, `bin/${bin}.js`])
  return {
    name: own.name,
    version: own.version,
    description,
    keywords,
    license: own.license,
    ...(repository !== undefined && {
      repository: { type: 'git', url: repository, directory: `packages/${name}` },
    }),
    type: 'module',
    sideEffects: programs.length > 0 && programs.map(([, path]) => `./${path}`),
    engines: { node: '>=20.19' },
    exports: Object.fromEntries([...exports, ['./package.json', './package.json']]),
    ...(programs.length > 0 && { bin: Object.fromEntries(programs) }),
    ...(name === 'sdk' && {
      peerDependencies: { viem: `^${readManifest('sdk').dependencies['viem']}` },
      peerDependenciesMeta: { viem: { optional: true } },
    }),
    publishConfig: { access: 'public', provenance: true },
  }
}

/** Reads the package.json of a package in the repository. */
export function readManifest(name: PackageName) {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license: string
    readonly dependencies: Readonly<Record<string, string>>
  }
}
