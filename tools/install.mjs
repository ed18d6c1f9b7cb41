import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildVenuesIfNeeded } from './build-venues.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const oldestNode = [20, 19]

/** Exits with a clear message if this version of Node is too old. */
export function demandNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return
  console.error(
    `This needs Node ${oldestNode.join('.')} or newer; you run ${process.versions.node}.`,
  )
  process.exit(1)
}

/**
 * Installs the dependencies if they are missing or older than the lockfile, without running install scripts. Compiles
 * venues whose packages contain only sources.
 *
 * npm leaves a copy of the lockfile in node_modules; its age tells when packages were installed.
 */
export function installIfNeeded() {
  installPackagesIfNeeded()
  buildVenuesIfNeeded()
}

function installPackagesIfNeeded() {
  const installed = join(root, 'node_modules/.package-lock.json')
  const wanted = join(root, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  console.log('Installing dependencies …')
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  console.error(error ? `Cannot run npm: ${error.message}` : 'npm ci failed; see above.')
  process.exit(1)
}

/** Programs that the tests need besides nodes: how to detect each, and its Debian package. */
const stores = [
  {
    isThere: () => hasProgram('valkey-server') || hasProgram('redis-server'),
    package: 'redis-server',
  },
  { isThere: () => hasPostgres() || hasProgram('initdb'), package: 'postgresql' },
]

/**
 * Installs a browser for the tests of the pages if there is none, and if this runs as root with Debian's package
 * manager. Otherwise those tests report what is missing.
 */
export function installBrowserIfPossible() {
  const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  if (process.env.CHROMIUM || programs.some(existsSync) || process.getuid?.() !== 0) return
  console.log('Installing chromium …')
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update'], options)
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
}

/**
 * Installs a Redis server and Postgres for the tests that need them if they are missing, and if this runs as root with
 * Debian's package manager. Otherwise those tests report what is missing.
 */
export function installStoresIfPossible() {
  const missing = stores.filter(({ isThere }) => !isThere()).map((store) => store.package)
  if (missing.length === 0 || process.getuid?.() !== 0) return
  console.log(`Installing ${missing.join(' and ')} …`)
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update'], options)
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], options)
}

function hasProgram(name) {
  return spawnSync(name, ['--version']).status === 0
}

/** Debian installs Postgres outside of the PATH, in one folder for each version. */
function hasPostgres() {
  const folder = '/usr/lib/postgresql'
  if (!existsSync(folder)) return false
  return readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin/initdb')))
}
