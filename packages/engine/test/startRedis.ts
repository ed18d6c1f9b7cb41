import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

export type RunningRedis = {
  readonly url: string
  readonly port: number
  readonly stop: () => Promise<void>
}

const programs = ['valkey-server', 'redis-server']

/** Starts a store on a free port. `npm test` installs one if it is missing. */
export async function startRedis(port?: number): Promise<RunningRedis> {
  const program = programs.find((name) => spawnSync(name, ['--version']).status === 0)
  if (program === undefined) throw new Error(`None of ${programs.join(', ')} is installed.`)
  const chosen = port ?? (await freePort())
  const settings = [
    '--port',
    `${chosen}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const child = spawn(program, settings, { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = once(child, 'exit')
  for await (const chunk of child.stdout) if (`${chunk}`.includes('Ready to accept')) break
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
