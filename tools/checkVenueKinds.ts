import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVenueKinds } from './readVenueKinds.js'

const tablePath = 'contracts/src/types/VenueKind.sol'
const readmePath = 'packages/deploy/chains/README.md'
const testFolder = 'contracts/test/venues/'

/** Returns each venue kind without a test, or without a row in the README of the chain configs, one line each. */
export function checkVenueKinds(root: string, paths: readonly string[]): string[] {
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  const readme = textOf(readmePath)
  const tests = paths
    .filter((path) => path.startsWith(testFolder) && path.endsWith('.t.sol'))
    .map(textOf)
    .join('\n')
  return readVenueKinds(textOf(tablePath)).flatMap(({ name }) => {
    const constant = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
    return [
      ...(tests.includes(`VenueKinds.${constant}`)
        ? []
        : [`${tablePath}: ${constant} has no test in ${testFolder}, see docs/adding-a-venue.md`]),
      ...(readme.includes(`\`${name}\``) ? [] : [`${readmePath}: has no row for ${name}`]),
    ]
  })
}
