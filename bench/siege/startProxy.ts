import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRepository } from '../lib/repository.js'
import { childrenOf, countHeld, cpuMsOf } from './processes.js'

export type RunningProxy = {
  readonly port: number
  /** Number of client sockets that it holds. */
  readonly held: () => number
  /** CPU time since the start, in milliseconds. */
  readonly cpuMs: () => number
  readonly stop: () => void
}

/** Starts nginx with the settings of the documentation on a free port, in front of the given port. */
export async function startProxy(upstream: number): Promise<RunningProxy> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-'))
  const settings = readFileSync(inRepository('docs/proxy/nginx.conf'), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)
    .replace('listen 80 ', `listen 127.0.0.1:${port} `)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, settings)
  const child = spawn(
    'nginx',
    [
      ...['-p', folder, '-c', file, '-e', 'stderr'],
      ...['-g', `daemon off; pid ${folder}/nginx.pid;`],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const failed = once(child, 'error').then(([error]) => {
    throw new Error('Cannot run nginx. Install it first (Debian: nginx-light).', {
      cause: error,
    })
  })
  await Promise.race([untilOpen(port), failed])
  failed.catch(() => {})
  const workers = () => childrenOf(child.pid!)
  return {
    port,
    held: () => countHeld(workers(), port),
    cpuMs: () => workers().reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    stop() {
      child.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      sleep(1_000, false),
    ])
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error('nginx did not start.')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
