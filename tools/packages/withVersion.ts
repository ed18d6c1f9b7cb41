import { names } from './published.js'

/** The members of a package.json that name versions. */
export type Manifest = {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Names in the registry. */
const published: readonly string[] = names.map((name) => `@sluice/${name}`)

/**
 * Returns a package.json in which the published packages have another version: as the package itself, and as
 * dependencies.
 */
export function withVersion<manifest extends Manifest>(
  manifest: manifest,
  version: string,
): manifest {
  const { dependencies, devDependencies, name } = manifest
  return {
    ...manifest,
    ...(name !== undefined && published.includes(name) && { version }),
    ...(dependencies && { dependencies: renewed(dependencies, version) }),
    ...(devDependencies && { devDependencies: renewed(devDependencies, version) }),
  }
}

function renewed(dependencies: Readonly<Record<string, string>>, version: string) {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      published.includes(name) ? version : range,
    ]),
  )
}
