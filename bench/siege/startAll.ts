import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployments } from '../chaos/clients.js'
import { chainId } from '../chaos/encodePlan.js'
import { inRepository } from '../lib/repository.js'
import { countHeld, cpuMsOf, rssOf } from './processes.js'

/** Environment variables of the service that differ from the defaults. */
export type Settings = Readonly<Record<string, string>>

/** The service and its nodes, each in a separate process. */
export type Siege = {
  readonly port: number
  /** Memory of the service in MiB. */
  readonly rss: () => number
  /** CPU time since the start, in milliseconds, of the service and of its nodes. */
  readonly cpuMs: () => number
  readonly nodesCpuMs: () => number
  /** Number of client sockets that the service holds, in any state. */
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
  const service = startProgram({ [`RPC_${chainId}`]: urls.join(), ...settings })
  const port = await portOf(service)
  return {
    port,
    rss: () => rssOf(service.pid!),
    cpuMs: () => cpuMsOf(service.pid!),
    nodesCpuMs: () => cpuMsOf(nodes.pid!),
    held: () => countHeld([service.pid!], port),
    setDelay: (ms) => nodes.send(ms),
    isRunning: () => service.exitCode === null && service.signalCode === null,
    stop() {
      service.kill('SIGKILL')
      nodes.kill('SIGKILL')
    },
  }
}

/** Starts the built service like `npm run serve`. */
function startProgram(settings: Settings): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-siege-'))
  const file = join(folder, 'deployments.json')
  writeFileSync(file, JSON.stringify(deployments))
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    DEPLOYMENTS: file,
    LOG_LEVEL: 'silent',
    MAX_BLOCK_AGE_MS: '15000',
    MARKET_DATA: 'off',
    SWAP_INDEX: 'off',
    ...settings,
  }
  const { scripts } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'))
  const [, , ...args] = String(scripts.serve).split(' ')
  const child = spawn(process.execPath, args, {
    cwd: inRepository('.'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return child
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  let text = ''
  for await (const chunk of stdout!) {
    text += chunk
    const port = /Sluice is listening on \S+:(\d+)/.exec(text)?.[1]
    if (port === undefined) continue
    stdout!.resume()
    return Number(port)
  }
  throw new Error('The service ended before it was listening.')
}
