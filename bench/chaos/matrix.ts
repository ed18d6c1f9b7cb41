import { type Figure, quantile } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { type ChaosNode, startChaosNode } from './ChaosNode.js'
import { type Client, createOurs, createViem, type Outcome } from './clients.js'
import type { Fault } from './faults.js'
import { figureOf } from './figureOf.js'
import { createRandom } from './Random.js'

/** One row: the faults of the nodes, and the number of requests of both clients. */
type Scenario = {
  readonly name: string
  /** Faults of each node, best node first. */
  readonly nodes: readonly ((random: () => number) => Fault | undefined)[]
  readonly asks: { readonly ours: number; readonly viem: number }
  readonly inFlight: number
  /** The expected error code. @default a correct quote */
  readonly rightCode?: { readonly ours: string; readonly viem: string }
}

const healthy = () => undefined
const always = (fault: Fault) => () => fault
const sometimes = (fault: Fault, part: number) => (random: () => number) =>
  random() < part ? fault : undefined

const first = (fault: Fault, viem = 40): Scenario => ({
  name: fault,
  nodes: [always(fault), healthy, healthy],
  asks: { ours: 200, viem },
  inFlight: 10,
})

/** Each fault separately. If viem takes ten seconds per request, it gets fewer requests. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'healthy',
    nodes: [healthy, healthy, healthy],
    asks: { ours: 500, viem: 500 },
    inFlight: 10,
  },
  {
    name: 'hungPrimary',
    nodes: [always('hang'), healthy, healthy],
    asks: { ours: 500, viem: 20 },
    inFlight: 10,
  },
  {
    name: 'hungOfTwo',
    nodes: [always('hang'), healthy],
    asks: { ours: 500, viem: 20 },
    inFlight: 10,
  },
  {
    name: 'hangs1pct',
    nodes: [sometimes('hang', 0.01), healthy, healthy],
    asks: { ours: 1_500, viem: 600 },
    inFlight: 30,
  },
  {
    name: 'slow5pct',
    nodes: [sometimes('slow', 0.05), healthy, healthy],
    asks: { ours: 1_500, viem: 600 },
    inFlight: 30,
  },
  {
    name: 'allDie',
    nodes: [always('down'), always('down'), always('down')],
    asks: { ours: 60, viem: 20 },
    inFlight: 10,
    rightCode: { ours: 'rpc_unreachable', viem: 'CallExecutionError' },
  },
  {
    name: 'outOfGasEverywhere',
    nodes: [always('outOfGas'), always('outOfGas'), always('outOfGas')],
    asks: { ours: 100, viem: 20 },
    inFlight: 10,
    rightCode: { ours: 'no_route', viem: 'CallExecutionError' },
  },
  {
    name: 'revert',
    nodes: [always('revert'), always('revert'), always('revert')],
    asks: { ours: 100, viem: 20 },
    inFlight: 10,
    rightCode: { ours: 'no_route', viem: 'CallExecutionError' },
  },
  first('drip', 10),
  ...(
    [
      'reset',
      'unavailable',
      'html',
      'throttled',
      'wrongId',
      'duplicateId',
      'missingItem',
      'null',
      'empty',
      'oddHex',
      'truncatedGzip',
      'slow',
      'internalError',
      'outOfGas',
      'lagging',
      'behind',
      'forked',
      'ahead',
      'wrongChain',
    ] as const
  ).map((fault) => first(fault)),
  { ...first('huge', 10), asks: { ours: 20, viem: 10 }, inFlight: 2 },
]

/** Measures both clients with the same faults, each with separate nodes, so that neither warms up the other's. */
export async function runMatrix(chain: Chain, seed: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const scenario of scenarios) {
    for (const set of ['ours', 'viem'] as const) {
      const measured = await measure(chain, scenario, set, seed)
      figures.push(...figuresOf(scenario, set, measured))
    }
  }
  return figures
}

type Measured = { outcomes: readonly Outcome[]; requests: number }

async function measure(
  chain: Chain,
  scenario: Scenario,
  set: 'ours' | 'viem',
  seed: number,
): Promise<Measured> {
  const { next } = createRandom(seed)
  const nodes = await Promise.all(scenario.nodes.map(() => startChaosNode(chain)))
  for (const [index, node] of nodes.entries()) node.fault = () => scenario.nodes[index]!(next)
  const client = set === 'ours' ? createOurs(chain, nodes) : createViem(chain, nodes)
  try {
    const outcomes = await askMany(client, scenario.asks[set], scenario.inFlight)
    return { outcomes, requests: sumRequests(nodes) }
  } finally {
    client.stop()
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

/** Sends requests, each with a new amount, so that no cache is used. */
export async function askMany(
  client: Client,
  count: number,
  inFlight: number,
  turn = 0,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let asked = 0
  const ask = async () => {
    while (asked < count)
      outcomes.push(await client.ask(10n ** 18n + BigInt(turn) * 10n ** 6n + BigInt(asked++)))
  }
  await Promise.all(Array.from({ length: inFlight }, ask))
  return outcomes
}

function sumRequests(nodes: readonly ChaosNode[]): number {
  return nodes.reduce((sum, { requests }) => sum + requests, 0)
}

function figuresOf(
  { name, rightCode }: Scenario,
  set: 'ours' | 'viem',
  { outcomes, requests }: Measured,
): Figure[] {
  const isRight = ({ code, kind }: Outcome) =>
    rightCode === undefined ? kind === 'right' : code === rightCode[set]
  const figure = (part: string, value: number, unit: string) =>
    figureOf(`${name}.${part}`, value, unit, set)
  return [
    figure(
      'p50',
      quantile(
        outcomes.map(({ tookMs }) => tookMs),
        0.5,
      ),
      'ms',
    ),
    figure(
      'p99',
      quantile(
        outcomes.map(({ tookMs }) => tookMs),
        0.99,
      ),
      'ms',
    ),
    figure('errors', outcomes.filter((outcome) => !isRight(outcome)).length, 'count'),
    // HTTP requests to nodes per response, including those for block headers.
    figure('calls', requests / outcomes.length, 'ratio'),
  ]
}
