import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { inRepository } from '../lib/repository.js'
import type { Setting } from './serve.js'

/** The service and its nodes, each in a process of its own. */
export type Siege = {
  readonly port: number
  /** Memory of the service in MiB. */
  readonly rss: () => number
  /** Processor time of the service since its start, in milliseconds. */
  readonly cpuMs: () => number
  /** Sockets that the service holds with clients, whatever their state. */
  readonly held: () => number
  readonly setDelay: (delayMs: number) => void
  readonly isRunning: () => boolean
  readonly stop: () => void
}

export function run(path: string, args: readonly string[] = []): ChildProcess {
  return fork(inRepository(path), [...args], {
    execArgv: ['--conditions=development', '--import', 'tsx'],
  })
}

export async function startAll(
  delayMs: number,
  settings: Omit<Setting, 'urls'>,
  path = 'bench/siege/serve.ts',
): Promise<Siege> {
  const nodes = run('bench/siege/nodes.ts', [`${delayMs}`])
  const [urls] = (await once(nodes, 'message')) as [string[]]
  const service = run(path)
  service.send({ ...settings, urls })
  const [port] = (await once(service, 'message')) as [number]
  return {
    port,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readStatus(service, 'status'))![1]) / 1_024,
    cpuMs: () => {
      const fields = readStatus(service, 'stat').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    held: () => countHeld(service.pid!, port),
    setDelay: (ms) => nodes.send(ms),
    isRunning: () => service.exitCode === null && service.signalCode === null,
    stop() {
      service.kill('SIGKILL')
      nodes.kill('SIGKILL')
    },
  }
}

function readStatus({ pid }: ChildProcess, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8')
}

const listening = '0A'

/** By the kernel's own list: sockets of the port that a file of the process stands for. */
function countHeld(pid: number, port: number): number {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
      } catch {
        return undefined
      }
    }),
  )
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local, , state, , , , , , inode]) =>
        local?.endsWith(suffix) && state !== listening && own.has(inode),
    ).length
}
