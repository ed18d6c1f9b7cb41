import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackage } from './buildPackage.js'
import type { PackageName } from './published.js'

/** A packed package. Sizes are in bytes. */
export type Tarball = {
  readonly path: string
  /** Folder from which it was packed. */
  readonly dist: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly string[]
}

type NpmTarball = {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/**
 * Builds packages and packs them with npm. Asks no registry.
 *
 * @param folder Where `dist` folders and tarballs are written.
 * @param repository URL of the public repository, for the provenance of a release.
 */
export async function pack<name extends PackageName>(
  packages: readonly name[],
  folder: string,
  repository?: string,
): Promise<Readonly<Record<name, Tarball>>> {
  const dists = packages.map((name) => join(folder, 'dist', name))
  for (const [index, name] of packages.entries())
    await buildPackage(name, dists[index]!, repository)
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', ...dists, '--pack-destination', folder, '--json', '--ignore-scripts'],
    { cwd: folder },
  )
  const packed = JSON.parse(stdout) as readonly NpmTarball[]
  const entries = packages.map((name, index) => {
    const { filename, files, size, unpackedSize } = packed[index]!
    const paths = files.map(({ path }) => path)
    const tarball = { path: join(folder, filename), size, unpackedSize, files: paths }
    return [name, { ...tarball, dist: dists[index]! }] as const
  })
  return Object.fromEntries(entries) as unknown as Record<name, Tarball>
}
