import autocannon from 'autocannon'
import { chainId } from '../chaos/encodePlan.js'
import { type Figure, quantile } from '../lib/figures.js'
import { holdSockets } from './holdSockets.js'
import { closedLoop, openLoop } from './openLoop.js'
import { type Answered, get } from './rawGet.js'
import { measureShed } from './shed.js'
import { type Service, startService } from './startService.js'

const query = `/api/quote?chain=${chainId}&in=WETH&out=USDC`
const soakMs = 300_000
const soakPerSecond = 150
/** Number of slow sockets of each of the three kinds. */
const slowOfEach = 167

const figure = (name: string, value: number, unit: string): Figure => ({
  bench: 'load',
  figure: name,
  value,
  unit,
  set: 'all',
})

/**
 * Measures crowds, overload, slow clients, shutdown, and memory under faults. Takes about seven minutes. The set `shed`
 * measures overload with nodes of several speeds, and takes a minute and a half.
 */
export async function run({
  only = [],
  seed = 1,
}: {
  only?: readonly string[]
  seed?: number
} = {}): Promise<Figure[]> {
  if (only.includes('shed')) return measureShed()
  const service = await startService()
  try {
    const { bareUrl, url } = await service.tell({ do: 'report' })
    return [
      ...(await measureHits(url, bareUrl)),
      ...(await measureCrowd(service, url)),
      ...(await measureOverload(service, url)),
      ...(await measureSlowClients(service, url)),
      ...(await measureSoak(service, url, seed)),
      ...(await measureStop(service, url)),
    ]
  } finally {
    if (service.child.exitCode === null) service.child.kill('SIGKILL')
  }
}

/** Measures cached quotes per second, compared with a bare server that returns the same bytes, alternately. */
async function measureHits(url: string, bareUrl: string): Promise<Figure[]> {
  const target = `${url}${query}&amountIn=1000000`
  const ratios: number[] = []
  const rates: number[] = []
  const rateOf = async (address: string) => {
    const { non2xx, requests } = await autocannon({
      url: address,
      connections: 20,
      duration: 3,
    })
    if (non2xx > 0) throw new Error(`${non2xx} requests failed.`)
    return requests.average
  }
  for (let turn = 0; turn < 4; turn++) {
    const [hits, bare] = [await rateOf(target), await rateOf(bareUrl)]
    if (turn === 0) continue
    rates.push(hits)
    ratios.push(hits / bare)
  }
  return [
    figure('hits.perSecond', quantile(rates, 0.5), 'perSecond'),
    figure('hits.ratio', quantile(ratios, 0.5), 'ratio'),
  ]
}

/** Counts the calls that a thousand identical concurrent quotes cause. */
async function measureCrowd(service: Service, url: string): Promise<Figure[]> {
  await service.tell({ do: 'work', slots: 8, delayMs: 30 })
  await service.tell({ do: 'still', on: true })
  const { calls } = await service.tell({ do: 'report' })
  const target = `${url}${query}&amountIn=777`
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => get(target)))
  const after = await service.tell({ do: 'still', on: false })
  const lost = answers.filter(({ status }) => status !== 200).length
  return [
    figure('crowd.calls', after.calls - calls, 'count'),
    figure('crowd.errors', lost, 'count'),
  ]
}

/** Measures twice the capacity of the nodes, with uncached requests only. */
async function measureOverload(service: Service, url: string): Promise<Figure[]> {
  await service.tell({ do: 'work', slots: 8, delayMs: 40 })
  let amount = 10 ** 6
  const fresh = () => `${url}${query}&amountIn=${amount++}`
  await closedLoop(fresh, 32, 1_000)
  const done = await closedLoop(fresh, 32, 4_000)
  const capacity = done.filter(({ status }) => status === 200).length / 4
  const forMs = 6_000
  const answers = await openLoop(fresh, 2 * capacity, forMs)
  const accepted = answers.filter(({ status }) => status === 200)
  const shed = answers.filter(({ status }) => status === 503)
  return [
    figure('capacity', capacity, 'perSecond'),
    figure('goodput.ratio', accepted.length / (forMs / 1_000) / capacity, 'ratio'),
    figure('accepted.p99', p99(accepted), 'ms'),
    figure('shed.p99', p99(shed), 'ms'),
    figure('overload.errors', answers.length - accepted.length - shed.length, 'count'),
  ]
}

/** Measures other callers while five hundred slow sockets stay open. */
async function measureSlowClients(service: Service, url: string): Promise<Figure[]> {
  await service.tell({ do: 'work', slots: 64, delayMs: 5 })
  let amount = 10 ** 8
  const fresh = () => `${url}${query}&amountIn=${amount++}`
  const alone = await openLoop(fresh, 100, 5_000)
  const held = holdSockets(url, slowOfEach)
  const beside = await openLoop(fresh, 100, 10_000)
  return [
    figure('slow.closed', await held, 'ms'),
    figure('slow.p99.ratio', p99(beside) / p99(alone), 'ratio'),
    figure('slow.errors', beside.filter(({ status }) => status !== 200).length, 'count'),
  ]
}

/** Measures the growth of memory in MB per minute, while nodes fail in every way. */
async function measureSoak(service: Service, url: string, seed: number): Promise<Figure[]> {
  await service.tell({ do: 'work', slots: 64, delayMs: 5 })
  await service.tell({ do: 'faults', part: 0.2, seed })
  let amount = 10 ** 10
  const startedAt = performance.now()
  const samples: { minutes: number; rss: number; used: number }[] = []
  const sample = async () => {
    const { rss, used } = await service.tell({ do: 'report' })
    const minutes = (performance.now() - startedAt) / 60_000
    samples.push({ minutes, rss: rss / 2 ** 20, used: used / 2 ** 20 })
  }
  const timer = setInterval(sample, 2_000)
  const answers = await openLoop(
    (index) => `${url}${query}&amountIn=${index % 4 === 0 ? 5 : amount++}`,
    soakPerSecond,
    soakMs,
  )
  clearInterval(timer)
  await service.tell({ do: 'faults', part: 0, seed })
  // The caches fill in the first half. Growth after that would not stop.
  const late = samples.slice(Math.floor(samples.length / 2))
  const slope = (of: 'rss' | 'used') =>
    slopeOf(late.map(({ minutes, [of]: megabytes }) => [minutes, megabytes]))
  return [
    figure('rss.slope', slope('rss'), 'MBperMinute'),
    figure('rss.last', late.at(-1)!.rss, 'MB'),
    // Memory in use. `rss` also has pages that the allocator has not returned.
    figure('used.slope', slope('used'), 'MBperMinute'),
    figure('soak.errors', answers.filter(({ status }) => status !== 200).length, 'count'),
    figure('soak.p99', p99(answers), 'ms'),
  ]
}

/** Measures SIGTERM at two hundred requests per second. */
async function measureStop(service: Service, url: string): Promise<Figure[]> {
  let amount = 10 ** 14
  let stoppedAt = Number.POSITIVE_INFINITY
  let ended: Promise<number | null> | undefined
  const asked: Promise<Answered & { startedAt: number }>[] = []
  for (let tick = 0; tick < 200; tick++) {
    const startedAt = performance.now()
    asked.push(
      get(`${url}${query}&amountIn=${amount++}`).then((answer) => ({ ...answer, startedAt })),
    )
    if (tick === 150) {
      stoppedAt = performance.now()
      ended = service.stop()
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const answers = await Promise.all(asked)
  const code = await ended
  const endedAt = performance.now()
  // A request sent in the last moment before the signal may be refused.
  const lost = answers.filter(
    ({ startedAt, status }) => startedAt < stoppedAt - 10 && status !== 200,
  )
  return [
    figure('stop.errors', lost.length + (code === 0 ? 0 : 1), 'count'),
    figure('stop.ms', endedAt - stoppedAt, 'ms'),
  ]
}

function p99(answers: readonly Answered[]): number {
  return quantile(
    answers.map(({ tookMs }) => tookMs),
    0.99,
  )
}

/** Returns the slope of the least-squares line through the points. */
function slopeOf(points: readonly (readonly number[])[]): number {
  const mean = (place: number) =>
    points.reduce((sum, point) => sum + point[place]!, 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const above = points.reduce((sum, [x, y]) => sum + (x! - meanX) * (y! - meanY), 0)
  return above / points.reduce((sum, [x]) => sum + (x! - meanX) ** 2, 0)
}
