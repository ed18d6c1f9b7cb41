import { createChain } from '../chaos/Chain.js'
import { type ChaosNode, startChaosNode } from '../chaos/ChaosNode.js'
import { chainId } from '../chaos/encodePlan.js'
import type { Fault } from '../chaos/faults.js'
import type { Figure } from '../lib/figures.js'
import { closedLoop } from '../load/openLoop.js'
import { get } from '../load/rawGet.js'
import { heavyBodies } from './heavyBodies.js'
import { type Service, startService } from './startService.js'

const query = `/api/quote?chain=${chainId}&in=WETH&out=USDC`
const warmUpMs = 15_000
const eachMs = 3_000
const inFlight = 20
const bodiesEach = 50

/** Malformed responses of nodes; `huge` is a response of 64 MiB. */
const refused: readonly Fault[] = [
  'wrongId',
  'duplicateId',
  'missingItem',
  'html',
  'truncatedGzip',
  'huge',
  'oddHex',
  'null',
  'empty',
]

const figureOf = (name: string, value: number, unit: string, set = 'all'): Figure => ({
  bench: 'abuse',
  figure: name,
  value,
  unit,
  set,
})

/** Measures the memory that malformed responses cost, and the work of the heaviest bodies. Takes two minutes. */
export async function run(): Promise<Figure[]> {
  const nodes = await Promise.all([1, 2, 3].map(() => startChaosNode(createChain())))
  const service = await startService(nodes.map(({ url }) => url))
  try {
    const bodies = await measureBodies(service)
    return [...bodies, ...(await measureRefused(service, nodes))]
  } finally {
    await service.stop()
    for (const node of nodes) await node.stop()
  }
}

/** Measures malformed responses of the first node only, while two are healthy, and of all nodes. */
async function measureRefused(service: Service, nodes: readonly ChaosNode[]): Promise<Figure[]> {
  let amount = 10 ** 6
  const fresh = () => `${service.url}${query}&amountIn=${amount++}`
  // Warms up: afterwards the caches are full, and all code that is used was compiled.
  await closedLoop(fresh, inFlight, warmUpMs)
  const figures: Figure[] = []
  for (const [name, faulty] of [
    ['first', nodes.slice(0, 1)],
    ['every', nodes],
  ] as const) {
    const before = await service.report()
    const most = { rss: 0, used: 0 }
    let wrong = 0
    for (const fault of refused) {
      for (const node of faulty) node.fault = () => fault
      const answers = await closedLoop(fresh, inFlight, eachMs)
      const right = faulty === nodes ? 502 : 200
      wrong += answers.filter(({ status }) => status !== right).length
      const after = await service.report()
      const grown = (of: 'rss' | 'used') => (after[of] - before[of]) / 2 ** 20
      for (const of of ['rss', 'used'] as const) most[of] = Math.max(most[of], grown(of))
      figures.push(figureOf(`${name}.rss.growth`, grown('rss'), 'MB', fault))
    }
    for (const node of nodes) node.fault = () => undefined
    figures.push(
      figureOf(`${name}.rss.growth`, most.rss, 'MB'),
      figureOf(`${name}.used.growth`, most.used, 'MB'),
      figureOf(`${name}.wrong`, wrong, 'count'),
    )
  }
  const { status } = await get(fresh())
  return [...figures, figureOf('crashes', service.isRunning() && status === 200 ? 0 : 1, 'count')]
}

/** Measures the CPU time of each body: the longest time that it can delay other requests. */
async function measureBodies({ report, url }: Service): Promise<Figure[]> {
  const figures: Figure[] = []
  let worst = 0
  for (const [name, { body, path }] of Object.entries(heavyBodies)) {
    const headers = { 'content-type': 'application/json' }
    const send = async () => {
      const answer = await fetch(url + path, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      if (answer.status >= 500) throw new Error(`The response to ${name} was ${answer.status}.`)
    }
    for (let turn = 0; turn < bodiesEach; turn++) await send()
    await report()
    const { cpuMs } = await report()
    for (let turn = 0; turn < bodiesEach; turn++) await send()
    // A report collects garbage. That costs the same each time, so it is subtracted.
    const idle = (await report()).cpuMs
    const again = (await report()).cpuMs
    const each = Math.max(0, idle - cpuMs - (again - idle)) / bodiesEach
    worst = Math.max(worst, each)
    figures.push(figureOf('body.cpu', each, 'ms', name))
  }
  return [...figures, figureOf('body.cpu', worst, 'ms')]
}
