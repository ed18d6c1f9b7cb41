import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from '../lib/figures.js'
import { attacks } from './attacks.js'
import { askHonestly } from './honest.js'
import { cpuMsOf } from './processes.js'
import { run as runProcess, type Settings, type Siege, startAll } from './startAll.js'
import { type RunningProxy, startProxy } from './startProxy.js'

const nodeDelayMs = 25
const attacker = '127.0.0.2'
/** Sockets are counted so long after the last attacker stopped, all of whom still hold theirs. */
const heldAfterMs = 15_000

type Measured = {
  ratio: number
  p99: number
  lost: number
  growth: number
  held: number
  /** Parts of a core that were in use during the attack. */
  cpu: Cpu
}
type Cpu = Readonly<Record<string, number>>

const limited = { RATE_LIMIT: '150', RATE_BURST: '300' }
/** How the service is run, and whether a proxy stands before it. */
const sets: Readonly<Record<string, { settings: Settings; isProxied: boolean }>> = {
  off: { settings: {}, isProxied: false },
  on: { settings: limited, isProxied: false },
  proxy: {
    settings: { ...limited, TRUSTED_PROXIES: '127.0.0.1/32' },
    isProxied: true,
  },
}

/**
 * Each attack beside twenty honest quotes a second. Sets: `off` and `on` (the rate limit), `proxy` (nginx before it, which
 * must be installed), or names of attacks, which are then the only ones.
 *
 * @param count Seconds of each attack.
 */
export async function run({
  count = 60,
  only = [],
}: {
  count?: number
  only?: readonly string[]
} = {}): Promise<Figure[]> {
  const wantedSets = only.filter((name) => name in sets)
  const wantedAttacks = only.filter((name) => name in attacks)
  const figures: Figure[] = []
  for (const set of wantedSets.length > 0 ? wantedSets : ['off', 'on']) {
    const names = wantedAttacks.length > 0 ? wantedAttacks : Object.keys(attacks)
    const all: Measured[] = []
    for (const name of names) {
      const measured = await besiege(name, sets[set]!, count * 1_000)
      all.push(measured)
      figures.push(...figuresOf(measured, `${set}.${name}`))
      console.error(JSON.stringify({ set, attack: name, ...measured }))
    }
    figures.push(...figuresOf(worstOf(all), set))
  }
  return figures
}

/** A fresh service for each attack, so that none is charged with what another left. */
async function besiege(
  name: string,
  { isProxied, settings }: { settings: Settings; isProxied: boolean },
  forMs: number,
): Promise<Measured> {
  const siege = await startAll(nodeDelayMs, settings)
  const proxy = isProxied ? await startProxy(siege.port) : undefined
  const port = proxy?.port ?? siege.port
  const child = runProcess('bench/siege/attacker.ts', [name, '127.0.0.1', `${port}`, attacker])
  child.kill('SIGSTOP')
  try {
    // All code is compiled by then, and the heap is as large as quotes make it.
    await askHonestly(port, Math.min(10_000, forMs))
    const quiet = await askHonestly(port, Math.min(15_000, forMs))
    const before = siege.rss()
    child.kill('SIGCONT')
    const watch = watchMemory(siege)
    const cpuOf = watchCpu(siege, child, proxy)
    const beside = await askHonestly(port, forMs)
    const cpu = cpuOf()
    // A stream that is read is held by right for five minutes; all others are let go while their clients hold on.
    if (name === 'streams') child.kill('SIGKILL')
    else child.send('stop')
    const most = watch()
    await sleep(heldAfterMs)
    if (!siege.isRunning()) throw new Error(`The service ended under ${name}.`)
    return {
      ratio: beside.p99 / quiet.p99,
      p99: beside.p99,
      lost: beside.lost,
      growth: most - before,
      // What a proxy holds with the service is the proxy's own, and kept by right.
      held: (proxy ?? siege).held(),
      cpu,
    }
  } finally {
    child.kill('SIGKILL')
    proxy?.stop()
    siege.stop()
  }
}

/** @returns What ends the watch and tells the most that was seen. */
function watchMemory(siege: Siege): () => number {
  let most = siege.rss()
  const timer = setInterval(() => {
    if (siege.isRunning()) most = Math.max(most, siege.rss())
  }, 200)
  return () => {
    clearInterval(timer)
    return most
  }
}

/** @returns What tells how much each process has used since, in parts of a core. */
function watchCpu(
  siege: Siege,
  attacker: ChildProcess,
  proxy: RunningProxy | undefined,
): () => Cpu {
  const look = (): Record<string, number> => ({
    service: siege.cpuMs(),
    nodes: siege.nodesCpuMs(),
    attacker: cpuMsOf(attacker.pid!),
    honest: ownCpuMs(),
    ...(proxy && { proxy: proxy.cpuMs() }),
  })
  const [before, startedAt] = [look(), performance.now()]
  return () => {
    const tookMs = performance.now() - startedAt
    return Object.fromEntries(
      Object.entries(look()).map(([who, ms]) => [who, (ms - before[who]!) / tookMs]),
    )
  }
}

function ownCpuMs(): number {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

function worstOf(all: readonly Measured[]): Omit<Measured, 'cpu'> {
  const most = (of: Exclude<keyof Measured, 'cpu'>) => Math.max(...all.map((each) => each[of]))
  return {
    ratio: most('ratio'),
    p99: most('p99'),
    lost: all.reduce((sum, { lost }) => sum + lost, 0),
    growth: most('growth'),
    held: most('held'),
  }
}

function figuresOf(measured: Omit<Measured, 'cpu'> & { cpu?: Cpu }, set: string): Figure[] {
  const { cpu, growth, held, lost, p99, ratio } = measured
  const figure = (name: string, value: number, unit: string): Figure => ({
    bench: 'siege',
    figure: name,
    value,
    unit,
    set,
  })
  return [
    figure('honest.p99.ratio', ratio, 'ratio'),
    figure('honest.p99', p99, 'ms'),
    figure('honest.lost', lost, 'count'),
    figure('rss.growth', growth, 'MiB'),
    figure('held', held, 'count'),
    ...Object.entries(cpu ?? {}).map(([who, cores]) => figure(`cpu.${who}`, cores, 'cores')),
  ]
}
