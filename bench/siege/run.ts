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
/** Time between the end of the attack and the count of sockets. Attackers keep their sockets open. */
const heldAfterMs = 15_000

type Measured = {
  ratio: number
  p99: number
  lost: number
  growth: number
  held: number
  /** Cores in use during the attack, for each process. */
  cpu: Cpu
}
type Cpu = Readonly<Record<string, number>>

const limited = { RATE_LIMIT: '150', RATE_BURST: '300' }
/** Settings of the service, and whether it runs behind a proxy. */
const sets: Readonly<Record<string, { settings: Settings; isProxied: boolean }>> = {
  off: { settings: {}, isProxied: false },
  on: { settings: limited, isProxied: false },
  proxy: {
    settings: { ...limited, TRUSTED_PROXIES: '127.0.0.1/32' },
    isProxied: true,
  },
}

/**
 * Measures each attack together with twenty honest quotes per second. Sets: `off` and `on` (the rate limit), `proxy`
 * (behind nginx, which must be installed). Names of attacks select these attacks only.
 *
 * @param count Duration of each attack in seconds.
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

/** Measures one attack on a fresh service, so that previous attacks have no effect. */
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
    // Warms up: compiles all code, and grows the heap to the size that quotes need.
    await askHonestly(port, Math.min(10_000, forMs))
    const quiet = await askHonestly(port, Math.min(15_000, forMs))
    const before = siege.rss()
    child.kill('SIGCONT')
    const watch = watchMemory(siege)
    const cpuOf = watchCpu(siege, child, proxy)
    const beside = await askHonestly(port, forMs)
    const cpu = cpuOf()
    // Streams may stay open for five minutes, so their clients leave. All other clients keep their connections open.
    if (name === 'streams') child.kill('SIGKILL')
    else child.send('stop')
    const most = watch()
    await sleep(heldAfterMs)
    if (!siege.isRunning()) throw new Error(`The service ended during ${name}.`)
    return {
      ratio: beside.p99 / quiet.p99,
      p99: beside.p99,
      lost: beside.lost,
      growth: most - before,
      // Behind a proxy, the proxy's sockets count: its connections to the service may stay open.
      held: (proxy ?? siege).held(),
      cpu,
    }
  } finally {
    child.kill('SIGKILL')
    proxy?.stop()
    siege.stop()
  }
}

/** @returns A function that stops watching and returns the maximum. */
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

/** @returns A function that returns the cores that each process has used since this call. */
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
