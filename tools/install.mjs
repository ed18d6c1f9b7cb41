import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildVenuesIfNeeded } from './build-venues.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const oldestNode = [20, 19]

/** Ends the program with a clear message on a Node that is too old. */
export function demandNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return
  console.error(
    `Node ${oldestNode.join('.')} or newer is needed; this is ${process.versions.node}.`,
  )
  process.exit(1)
}

/**
 * Installs the dependencies where they are missing or older than the lockfile, without running install scripts, and
 * compiles the venues that come as sources.
 *
 * npm leaves a copy of the lockfile in node_modules, so its age says what was installed.
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
  console.error(error ? `npm could not be run: ${error.message}` : 'npm ci failed; see above.')
  process.exit(1)
}

/** What the tests run besides nodes: a program that tells that it is there, and Debian's package with it. */
const stores = [
  {
    isThere: () => hasProgram('valkey-server') || hasProgram('redis-server'),
    package: 'redis-server',
  },
  { isThere: () => hasPostgres() || hasProgram('initdb'), package: 'postgresql' },
]

/**
 * Installs a browser for the tests of the pages, where there is none and Debian's package manager may be used. Those
 * tests say what is missing where it may not.
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
 * Installs a Redis server and Postgres for the tests that need them, where there is none and Debian's package manager may
 * be used. Those tests say what is missing where it may not.
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

/** Debian keeps its programs out of the PATH, a folder for each version. */
function hasPostgres() {
  const folder = '/usr/lib/postgresql'
  if (!existsSync(folder)) return false
  return readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin/initdb')))
}
