import type { Engine, QuoteAnswer, Settled } from '@sluice/engine'
import type { Figure } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { type ChaosNode, startChaosNode } from './ChaosNode.js'
import { createOurEngine, isTrue, requestOf } from './clients.js'
import { createFailures, explain, type Failures } from './explain.js'
import { figureOf } from './figureOf.js'
import { type Pulse, startPulse } from './Pulse.js'
import { createRandom, type Random } from './Random.js'
import { checkSymbol, checkXray } from './reports.js'
import { symbolOf, tokenOf } from './simulate.js'
import { startMarket } from './startMarket.js'
import { askedAgainMs, createWeather, type Weather } from './weather.js'

const nodeCount = 3
const inFlight = 40
/** Number of requests after which the faults change. */
const spell = 100
/** Every n-th request is a batch, is aborted, or repeats an amount. */
const [batchEvery, abandonEvery, repeatEvery] = [5, 40, 3]
/** Of ten requests, these numbers are a dry run, an x-ray and the resolution of a symbol. */
const [exactTurn, xrayTurn, symbolTurn] = [3, 6, 8]
/** Every n-th request is a batch with `exact=1`. */
const exactBatchEvery = 50
/** Amounts that every node reverts; only for these `no_route` is correct. */
const isReverted = (amountIn: bigint) => amountIn % 97n === 0n
/** Pause of each client between requests while there are no faults, because the faults matter here. */
const calmPauseMs = 100
/** Maximum node requests per quote: three, and two again if the chain moved; twice as many for a dry run. */
const maxTried = 5
/** Time budget of a flight. */
const longestFlightMs = 2_300
/** An excluded node must be used again within this time; a calm phase does not wait longer. */
const backMs = 10_000

/** If the process was blocked for this long during a flight, it could not get a response in time. */
const starvedMs = longestFlightMs / 2
/** Number of violations of each rule that are explained. */
const explained = 5

/** Number of violations of each rule. */
export type Violations = Map<string, number>

/**
 * Applies every fault in a random order from the seed, to all nodes except one or to all of them, on a chain that grows and
 * reorganizes. Compares each response with the chain.
 */
export async function runStorm(chain: Chain, seed: number, responses: number): Promise<Figure[]> {
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => startChaosNode(chain)))
  for (const node of nodes) {
    node.reverts = isReverted
    node.delayMs = 1
  }
  const market = await startMarket()
  const failures = createFailures()
  const engine = createOurEngine(nodes, {
    marketData: [{ kind: 'dexscreener', url: market.url }],
    onFailure: ({ failure, upstream }) => failures.note(upstream, failure),
    onMarketFailure: ({ failure, source }) => failures.note(source, failure),
    onAttempt: ({ failure, tookMs, upstream }) =>
      failures.note(upstream, `${failure ?? 'ok'} in ${Math.round(tookMs)}`),
  })
  const violations: Violations = new Map()
  const tally = { asked: 0, answered: 0, starved: 0, runs: 0, reports: 0 }
  const pulse = startPulse()
  const random = createRandom(seed)
  const returns = watchReturns(engine, nodes, (name) => violate(storm, name, name, calmSince()))
  const calmSince = () => returns.since()
  const weather = createWeather({ nodes, chain, random }, returns)
  const storm = { engine, chain, nodes, failures, violations, tally, pulse, random, weather, seed }
  const ask = async () => {
    while (tally.answered < responses) {
      if (tally.asked % spell === 0) weather.change()
      const answered = await askOne(storm, tally.asked++)
      tally.answered += answered
      if (weather.epoch() === 'calm')
        await new Promise((resolve) => setTimeout(resolve, calmPauseMs))
    }
  }
  try {
    engine.startProbing()
    await Promise.all(Array.from({ length: inFlight }, ask))
  } finally {
    pulse.stop()
    returns.stop()
    market.stop()
    await engine.stop()
    await Promise.all(nodes.map((node) => node.stop()))
  }
  const total = [...violations.values()].reduce((sum, count) => sum + count, 0)
  for (const [name, count] of violations)
    console.error(`violated ${count} times: ${name} (seed ${seed})`)
  return [
    figureOf('storm.responses', tally.answered, 'count'),
    // Included in the responses: dry runs, and x-rays and symbols.
    figureOf('storm.runs', tally.runs, 'count'),
    figureOf('storm.reports', tally.reports, 'count'),
    // Refusals while the machine did other work, so that this process could not respond.
    figureOf('storm.starved', tally.starved, 'count'),
    figureOf('violations', total, 'count'),
  ]
}

/** Checks that excluded nodes get requests again, and are used again in time, once all nodes are healthy. */
function watchReturns(
  engine: Engine,
  nodes: readonly ChaosNode[],
  broken: (name: string) => void,
): Parameters<typeof createWeather>[1] & { since: () => number; stop: () => void } {
  let calmAt = Number.NEGATIVE_INFINITY
  const timers = new Set<NodeJS.Timeout>()
  const excluded = () => engine.nodes().flatMap(({ isExcluded }, at) => (isExcluded ? [at] : []))
  const after = (ms: number, check: () => void) => timers.add(setTimeout(check, ms).unref())
  return {
    since: () => calmAt,
    areAllIn: () => excluded().length === 0 || performance.now() - calmAt > backMs,
    areAllTrusted: () => engine.nodes().every(({ isDemoted }) => !isDemoted),
    onCalm() {
      calmAt = performance.now()
      for (const at of excluded()) {
        const before = nodes[at]!.requests
        after(askedAgainMs, () => {
          if (nodes[at]!.requests === before) broken('an excluded node was not asked again in 5 s')
        })
        after(backMs, () => {
          const isStillCalm = performance.now() - calmAt >= backMs
          if (isStillCalm && excluded().includes(at)) broken('a healthy node was excluded for 10 s')
        })
      }
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

type Storm = {
  engine: Engine
  chain: Chain
  nodes: readonly ChaosNode[]
  failures: Failures
  seed: number
  violations: Violations
  tally: { starved: number; runs: number; reports: number }
  pulse: Pulse
  random: Random
  weather: Weather
}

async function askOne(storm: Storm, place: number): Promise<number> {
  const turn = place % 10
  if (turn === xrayTurn || turn === symbolTurn) return await askReport(storm, place)
  const { engine, random, tally } = storm
  const isExact = turn === exactTurn || place % exactBatchEvery === batchEvery
  const amounts = Array.from({ length: place % batchEvery === 0 ? 10 : 1 }, (_, item) =>
    place % repeatEvery === 0
      ? BigInt(10_000 + Math.floor(place / 30))
      : BigInt(10 ** 6 + 10 * place + item),
  )
  const startedAt = performance.now()
  const leaving = new AbortController()
  const isAbandoned = place % abandonEvery === 7
  if (isAbandoned) setTimeout(() => leaving.abort(), random.below(20))
  try {
    const requests = amounts.map((amountIn) => requestOf(amountIn, { isExact }))
    const answers = await engine.quoteMany(requests, { signal: leaving.signal })
    check(storm, { amounts, isExact }, answers, startedAt)
    if (isExact) tally.runs += answers.length
    return answers.length
  } catch {
    if (!isAbandoned)
      violate(storm, 'a request that no caller aborted was aborted', 'nothing', startedAt)
    return 1
  }
}

/** Requests a report on a new token each time, so that no cache is used. */
async function askReport(storm: Storm, place: number): Promise<number> {
  const { chain, engine, tally } = storm
  const startedAt = performance.now()
  const [chainId] = [...engine.health()].map((each) => each.chainId)
  const isXray = place % 10 === xrayTurn
  tally.reports++
  try {
    const problem = isXray
      ? checkXray(chain, place, await engine.xray(chainId!, tokenOf(place)), startedAt)
      : checkSymbol(place, await engine.lookUp(chainId!, symbolOf(place), { purpose: 'trade' }))
    // If nodes revert every call, the engine finds no tradable token.
    const isExcused = problem?.code !== undefined && storm.weather.excuses(problem.code, startedAt)
    if (problem !== undefined && !isExcused) violate(storm, problem.rule, problem.said, startedAt)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    refuse(storm, `${code}: ${message}, of ${isXray ? 'an x-ray' : 'a symbol'},`, {
      code: `${code}`,
      startedAt,
    })
  }
  return 1
}

/** Records an error as a violation, unless faults of the nodes explain it or this process was blocked. */
function refuse(
  storm: Storm,
  text: string,
  { code, startedAt }: { code: string; startedAt: number },
) {
  const since = startedAt - longestFlightMs
  if (storm.weather.excuses(code, since)) return
  if (storm.pulse.starvedMs(since) >= starvedMs) storm.tally.starved++
  else violate(storm, `${text} that is not true`, text, startedAt)
}

function check(
  storm: Storm,
  { amounts, isExact }: { amounts: readonly bigint[]; isExact: boolean },
  answers: readonly Settled<QuoteAnswer>[],
  startedAt: number,
) {
  const blocks = new Set<string>()
  for (const [index, answer] of answers.entries()) {
    const amountIn = amounts[index]!
    if (!answer.ok) {
      const { code } = answer.error as { code: string }
      // Two nodes must confirm a revert, and there may be only one healthy node.
      const isTrueOfAll = /^(no_route|rpc_unreachable)$/.test(code) && isReverted(amountIn)
      if (!isTrueOfAll) refuse(storm, isExact ? `${code}, of a run,` : code, { code, startedAt })
      continue
    }
    const { block, cache, quote, rpcTried } = answer.value
    // A request that joins a flight gets the flight's state of the chain.
    const askedAt = cache === 'coalesced' ? startedAt - longestFlightMs : startedAt
    const broken = (name: string) => violate(storm, name, answer.value, askedAt)
    blocks.add(block.parentHash)
    if (isReverted(amountIn)) broken('a quote for an amount that every node reverts')
    if (quote.plan.witness.parentHash !== block.parentHash) broken('a witness of another block')
    if (rpcTried > (isExact ? 2 : 1) * maxTried) broken('too many nodes asked')
    if (!isTrue(storm.chain, amountIn, quote.plan, askedAt)) broken('a false or old quote')
  }
  if (blocks.size > 1) violate(storm, 'a batch on two blocks', [...blocks].join(), startedAt)
}

function violate(storm: Storm, name: string, answer: QuoteAnswer | string, askedAt: number) {
  const { violations, weather } = storm
  const count = (violations.get(name) ?? 0) + 1
  violations.set(name, count)
  if (count <= explained)
    console.error(explain(name, answer, { ...storm, askedAt, epoch: weather.epoch() }))
}
