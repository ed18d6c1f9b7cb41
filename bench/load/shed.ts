import { monitorEventLoopDelay } from 'node:perf_hooks'
import { chainId } from '../chaos/encodePlan.js'
import { type Figure, quantile } from '../lib/figures.js'
import { type Siege, startAll } from '../siege/startAll.js'
import { closedLoop, openLoop } from './openLoop.js'
import type { Answered } from './rawGet.js'

/** Response times of a node in ms. With the first, the CPU is the limit; with the last, the number of flights. */
const delaysMs = [0, 5, 25, 100]
const inFlight = 32
const [warmUpMs, closedMs, openMs] = [4_000, 5_000, 8_000]

/**
 * Measures overload for nodes of each speed. A closed loop measures the capacity; then an open loop sends twice as many
 * requests, regardless of the responses. To measure one core, run it under `taskset -c 0`.
 */
export async function measureShed(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const delayMs of delaysMs) {
    const siege = await startAll(delayMs, {})
    let amount = 10 ** 6
    const fresh = () =>
      `http://127.0.0.1:${siege.port}/api/quote?chain=${chainId}&in=WETH&out=USDC&amountIn=${amount++}`
    try {
      await closedLoop(fresh, inFlight, warmUpMs)
      const closed = await closedLoop(fresh, inFlight, closedMs)
      const capacity = with200(closed).length / (closedMs / 1_000)
      const cpuOf = watchCpu(siege)
      const own = monitorEventLoopDelay({ resolution: 5 })
      own.enable()
      const open = await openLoop(fresh, 2 * capacity, openMs)
      own.disable()
      figures.push(
        ...figuresOf(`${delayMs}ms`, { capacity, closed, open, lateMs: own.percentile(99) / 1e6 }),
        ...cpuOf(`${delayMs}ms`),
      )
    } finally {
      siege.stop()
    }
  }
  return figures
}

function figuresOf(
  set: string,
  measured: {
    capacity: number
    closed: readonly Answered[]
    open: readonly Answered[]
    lateMs: number
  },
): Figure[] {
  const { capacity, closed, lateMs, open } = measured
  const figure = (name: string, value: number, unit: string): Figure => ({
    bench: 'load',
    figure: name,
    value,
    unit,
    set,
  })
  const accepted = with200(open)
  const shed = open.filter(({ status }) => status === 503)
  return [
    figure('capacity', capacity, 'perSecond'),
    figure('closed.p99', p99(with200(closed)), 'ms'),
    figure('goodput.ratio', accepted.length / (openMs / 1_000) / capacity, 'ratio'),
    figure('accepted.p99', p99(accepted), 'ms'),
    figure('shed.p99', p99(shed), 'ms'),
    // Delay of the callers' own process, which is part of the times above.
    figure('callers.late.p99', lateMs, 'ms'),
    figure('overload.errors', open.length - accepted.length - shed.length, 'count'),
  ]
}

/** @returns A function that returns the cores in use since this call. If the sum is all cores, each process lacked CPU time. */
function watchCpu(siege: Siege): (set: string) => Figure[] {
  const look = () => {
    const { system, user } = process.cpuUsage()
    return { service: siege.cpuMs(), nodes: siege.nodesCpuMs(), callers: (system + user) / 1_000 }
  }
  const [before, startedAt] = [look(), performance.now()]
  return (set) => {
    const [after, tookMs] = [look(), performance.now() - startedAt]
    return (['service', 'nodes', 'callers'] as const).map((who) => ({
      bench: 'load',
      figure: `cpu.${who}`,
      value: (after[who] - before[who]) / tookMs,
      unit: 'cores',
      set,
    }))
  }
}

function with200(answers: readonly Answered[]): readonly Answered[] {
  return answers.filter(({ status }) => status === 200)
}

function p99(answers: readonly Answered[]): number {
  return quantile(
    answers.map(({ tookMs }) => tookMs),
    0.99,
  )
}
