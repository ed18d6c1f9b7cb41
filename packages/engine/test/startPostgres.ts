import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export type RunningPostgres = {
  /** URL of a fresh database. */
  readonly createDatabase: () => Promise<string>
  readonly pid: number
  readonly stop: () => Promise<void>
}

const debianFolder = '/usr/lib/postgresql'
const user = 'postgres'

/** Starts a Postgres server with its own data folder on a free port. `npm test` installs Postgres if it is missing. */
export async function startPostgres(): Promise<RunningPostgres> {
  const programs = programsFolder()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
  // Postgres refuses to run as root, so as root we run it as the user that its package created.
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  const asUser = isRoot
    ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
    : ['env']
  const command = (name: string, args: readonly string[]) =>
    [...asUser, join(programs, name), ...args] as [string, ...string[]]
  const data = join(folder, 'data')
  const [init, ...initArgs] = command('initdb', [
    ...['-D', data, '-U', user, '--auth', 'trust', '--no-sync', '-E', 'UTF8', '--locale', 'C'],
  ])
  const made = spawnSync(init, initArgs, { cwd: folder, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 50,
  }
  const [program, ...args] = command('postgres', [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  // setpriv replaces itself with the server, so its process id is the server's.
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' })
  const killNow = () => child.kill('SIGQUIT')
  process.once('exit', killNow)
  const admin = `postgres://${user}@127.0.0.1:${port}/postgres`
  await untilReady(child, admin)
  let databases = 0
  return {
    pid: child.pid!,
    async createDatabase() {
      const name = `sluice_${++databases}`
      await runOnce(admin, `CREATE DATABASE ${name}`)
      return admin.replace(/postgres$/, name)
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGQUIT')
      await gone
      process.off('exit', killNow)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs one statement on its own connection. */
async function runOnce(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null || attempt === 400) throw new Error('Postgres did not start.')
    try {
      return await runOnce(url, 'SELECT 1')
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

/** Debian keeps the programs outside of the PATH, in one folder for each version. */
function programsFolder(): string {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const newest = versions
    .map((version) => join(debianFolder, version, 'bin'))
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .sort((a, b) => Number(b.split('/').at(-2)) - Number(a.split('/').at(-2)))[0]
  const onPath = (process.env['PATH'] ?? '')
    .split(':')
    .find((folder) => existsSync(join(folder, 'initdb')))
  const found = newest ?? onPath
  if (found === undefined) throw new Error('PostgreSQL is not installed.')
  return found
}

function idOf(which: '-u' | '-g'): number {
  return Number(spawnSync('id', [which, user], { encoding: 'utf8' }).stdout)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
