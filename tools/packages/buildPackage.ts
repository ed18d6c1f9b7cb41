import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.js'
import { emitTypes } from './emitTypes.js'
import { manifestOf } from './manifest.js'
import { noticesOf } from './notices.js'
import { find, type PackageName, root } from './published.js'

/**
 * Builds the folder that is published: bundled code, type declarations, package.json, README, changelog and licenses.
 *
 * @param dist Folder to write. Its content is replaced.
 * @param repository URL of the public repository, for the provenance of a release.
 */
export async function buildPackage(
  name: PackageName,
  dist: string,
  repository?: string,
): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const modules = await bundle(name, dist)
  for (const bin of Object.keys(find(name).bins)) chmodSync(join(dist, 'bin', `${bin}.js`), 0o755)
  emitTypes(name, dist)
  writeFileSync(
    join(dist, 'package.json'),
    `${JSON.stringify(manifestOf(name, repository), null, 2)}\n`,
  )
  const notices = noticesOf(modules)
  if (notices !== undefined) writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), notices)
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  for (const file of ['README.md', 'CHANGELOG.md'])
    cpSync(join(root, 'packages', name, file), join(dist, file))
}
