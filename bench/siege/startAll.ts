import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ServerConfig } from '@sluice/server'
import { deployments } from '../chaos/clients.js'
import { chainId } from '../chaos/encodePlan.js'
import { inRepository } from '../lib/repository.js'

/** How the service is run, other than by default; written as JSON on its way. */
export type Settings = Partial<Omit<ServerConfig, 'deployments' | 'rpcUrls'>>

/** The service and its nodes, each in a process of its own. */
export type Siege = {
  readonly port: number
  /** Memory of the service in MiB. */
  readonly rss: () => number
  /** Processor time since the start, in milliseconds: of the service, and of its nodes. */
  readonly cpuMs: () => number
  readonly nodesCpuMs: () => number
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

export async function startAll(delayMs: number, settings: Settings): Promise<Siege> {
  const nodes = run('bench/siege/nodes.ts', [`${delayMs}`])
  const [urls] = (await once(nodes, 'message')) as [string[]]
  const service = fork(inRepository('bench/siege/serve.mjs'), { execArgv: [] })
  service.send({ ...settings, deployments, chainId, urls })
  const [port] = (await once(service, 'message')) as [number]
  return {
    port,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readStatus(service, 'status'))![1]) / 1_024,
    cpuMs: () => cpuMsOf(service),
    nodesCpuMs: () => cpuMsOf(nodes),
    held: () => countHeld(service.pid!, port),
    setDelay: (ms) => nodes.send(ms),
    isRunning: () => service.exitCode === null && service.signalCode === null,
    stop() {
      service.kill('SIGKILL')
      nodes.kill('SIGKILL')
    },
  }
}

/** Processor time of a process with all its threads, in milliseconds. */
export function cpuMsOf(child: ChildProcess): number {
  const fields = readStatus(child, 'stat').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
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
