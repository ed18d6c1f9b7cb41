import { fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { chainId } from '../chaos/encodePlan.js'
import { type Figure, quantile } from '../lib/figures.js'
import { inRepository } from '../lib/repository.js'
import type { Report } from './serve.js'

/** Many and short, so that what else the machine does meets both sides alike. */
const rounds = 11
const roundSeconds = 1
const warmUps = 2
const recipient = '0x00000000000000000000000000000000000a11ce'
const path = `/api/quote/prepare?chain=${chainId}&in=ETH&out=USDC&recipient=${recipient}&slippageBps=50&amountIn=`

type Kind = 'distinct' | 'repeated'
type Measured = { perSecond: number; cpuEach: number }

/**
 * `GET /api/quote/prepare` beside a bare server that returns the same bytes, in turns, with whoever asks in another
 * process: every question a new one, and one question again and again.
 *
 * `ratio` is of requests a second, `cpu.ratio` of processor time for a request, which other programs disturb less.
 */
export async function overHttp(): Promise<Figure[]> {
  const child = fork(inRepository('bench/codec/serve.ts'), [`${path}1000000`], {
    execArgv: [
      ...process.execArgv.filter((option) => option.startsWith('--cpu-prof')),
      '--conditions=development',
      '--import',
      'tsx',
    ],
  })
  const report = async () => {
    child.send('report')
    const [told] = await once(child, 'message')
    return told as Report
  }
  try {
    await once(child, 'message')
    const figures: Figure[] = []
    for (const kind of ['distinct', 'repeated'] as const)
      figures.push(...(await compare(report, kind)))
    return figures
  } finally {
    child.disconnect()
  }
}

async function compare(report: () => Promise<Report>, kind: Kind): Promise<Figure[]> {
  const { bareUrl, url } = await report()
  const pairs: { ours: Measured; bare: Measured }[] = []
  for (let round = -warmUps; round < rounds; round++) {
    const ours = await measure(report, url, kind)
    const bare = await measure(report, bareUrl, kind)
    if (round >= 0) pairs.push({ ours, bare })
  }
  const median = (values: readonly number[]) => quantile(values, 0.5)
  const figure = (name: string, value: number, unit: string): Figure => ({
    bench: 'codec',
    figure: name,
    value,
    unit,
    set: kind === 'distinct' ? 'all' : kind,
  })
  return [
    figure('http.perSecond', median(pairs.map(({ ours }) => ours.perSecond)), '1/s'),
    figure(
      'http.ratio',
      median(pairs.map(({ bare, ours }) => ours.perSecond / bare.perSecond)),
      'ratio',
    ),
    figure('http.cpu', median(pairs.map(({ ours }) => ours.cpuEach)), 'us'),
    figure(
      'http.cpu.ratio',
      median(pairs.map(({ bare, ours }) => bare.cpuEach / ours.cpuEach)),
      'ratio',
    ),
  ]
}

let amount = 10 ** 9

async function measure(report: () => Promise<Report>, url: string, kind: Kind): Promise<Measured> {
  const before = await report()
  const { errors, finish, non2xx, requests, start } = await autocannon({
    url: url + path,
    connections: 20,
    duration: roundSeconds,
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          path: `${path}${kind === 'distinct' ? amount++ : 1_000_000}`,
        }),
      },
    ],
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx + errors} answers were none.`)
  const { cpu } = await report()
  const seconds = (finish.getTime() - start.getTime()) / 1_000
  return { perSecond: requests.total / seconds, cpuEach: (cpu - before.cpu) / requests.total }
}
