import { fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { chainId } from '../chaos/encodePlan.js'
import { type Figure, quantile } from '../lib/figures.js'
import { inRepository } from '../lib/repository.js'
import { cpuMsOf } from '../siege/processes.js'
import { startAll } from '../siege/startAll.js'

/** Many short rounds, so that other programs on the machine affect both sides equally. */
const rounds = 11
const roundSeconds = 1
const warmUps = 4
const recipient = '0x00000000000000000000000000000000000a11ce'
const path = `/api/quote/prepare?chain=${chainId}&in=ETH&out=USDC&recipient=${recipient}&slippageBps=50&amountIn=`

type Kind = 'distinct' | 'repeated'
/** `cpuEach` is in microseconds. */
type Measured = { perSecond: number; cpuEach: number }

/** A server, and its CPU time since its start, in milliseconds. */
type Subject = { readonly url: string; readonly cpuMs: () => number }

/**
 * Compares `GET /api/quote/prepare` of the built service with a bare server that returns the same bytes, alternately. Both
 * servers and the client run in separate processes. One part sends a different request each time, the other the same.
 *
 * `ratio` compares requests per second; `cpu.ratio` compares CPU time per request, which other programs affect less.
 */
export async function overHttp(): Promise<Figure[]> {
  // A machine that is busy with other work must not count as overload.
  const service = await startAll(0, { MAX_LOOP_DELAY_MS: '0' })
  const ours = { url: `http://127.0.0.1:${service.port}`, cpuMs: service.cpuMs }
  const bareProcess = fork(inRepository('bench/codec/bare.mjs'), [`${ours.url}${path}1000000`], {
    execArgv: [],
  })
  try {
    const [port] = (await once(bareProcess, 'message')) as [number]
    const bare = { url: `http://127.0.0.1:${port}`, cpuMs: () => cpuMsOf(bareProcess.pid!) }
    const figures: Figure[] = []
    for (const kind of ['distinct', 'repeated'] as const)
      figures.push(...(await compare(ours, bare, kind)))
    return figures
  } finally {
    bareProcess.kill('SIGKILL')
    service.stop()
  }
}

async function compare(ours: Subject, bare: Subject, kind: Kind): Promise<Figure[]> {
  const pairs: { ours: Measured; bare: Measured }[] = []
  for (let round = -warmUps; round < rounds; round++) {
    const isWarm = round >= 0
    const pair = {
      ours: await measure(ours, kind, isWarm),
      bare: await measure(bare, kind, isWarm),
    }
    if (isWarm) pairs.push(pair)
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

/** @param isWarm Whether failed requests are errors. A service that has just started may refuse some. */
async function measure({ cpuMs, url }: Subject, kind: Kind, isWarm: boolean): Promise<Measured> {
  const before = cpuMs()
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
  if (isWarm && (non2xx > 0 || errors > 0)) throw new Error(`${non2xx + errors} requests failed.`)
  const cpu = 1_000 * (cpuMs() - before)
  const seconds = (finish.getTime() - start.getTime()) / 1_000
  return { perSecond: requests.total / seconds, cpuEach: cpu / requests.total }
}
