import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const require = createRequire(import.meta.url)

/**
 * Returns the path of a native program: from its npm platform package on Linux x64, otherwise from the PATH.
 *
 * It does not use the packages' own wrappers: Foundry's exit with 0 even if the program fails.
 */
export function platformBinary({ name, platformPackage, file, install }) {
  if (process.platform === 'linux' && process.arch === 'x64') {
    try {
      return require.resolve(`${platformPackage}/${file}`)
    } catch {
      throw new Error(`${name} is not installed. Run npm ci.`)
    }
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name)
    if (folder && existsSync(path)) return path
  }
  throw new Error(`${name} was not found on the PATH. ${install}`)
}

export const forge = () =>
  platformBinary({
    name: 'forge',
    platformPackage: '@foundry-rs/forge-linux-amd64',
    file: 'bin/forge',
    install: 'Install Foundry 1.7.1: https://getfoundry.sh',
  })

export const biome = () =>
  platformBinary({
    name: 'biome',
    platformPackage: '@biomejs/cli-linux-x64',
    file: 'biome',
    install: 'Install Biome 2.6.8: https://biomejs.dev',
  })
