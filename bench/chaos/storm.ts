import type { Engine, QuoteAnswer, Settled } from '@sluice/engine'
import type { Figure } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { type ChaosNode, startChaosNode } from './ChaosNode.js'
import { createOurEngine, isTrue, requestOf } from './clients.js'
import { explain } from './explain.js'
import { type Fault, faults, lies } from './faults.js'
import { figureOf } from './figureOf.js'
import { type Pulse, startPulse } from './Pulse.js'
import { createRandom, type Random } from './Random.js'

const nodeCount = 3
const inFlight = 40
/** Requests after which the weather changes. */
const spell = 100
/** One request in so many is a batch, is abandoned, is the same as another one's. */
const [batchEvery, abandonEvery, repeatEvery] = [5, 40, 3]
/** Amounts that every node reverts: the only ones for which `no_route` is true. */
const isReverted = (amountIn: bigint) => amountIn % 97n === 0n
/** Faults that do not put the truth in doubt, but for a revert, which is believed. */
const mechanical = faults.filter((fault) => !lies.includes(fault))
const spellsPerEpoch = 10
/** Where no node is sound, most requests take as long as they may. */
const spellsPerOutage = 1
/** Between two questions of one asker while all is calm: the faults are what is to be seen. */
const calmPauseMs = 100
/** A flight's budget, and the second for which a throttled node is left alone. */
const calmMs = 3_400
/** Nodes asked for one answer at the most: three, and one of them again where the chain moved. */
const mostTried = 4
/** A flight's budget. */
const longestFlightMs = 2_300

/** A process that stood still for so long within a flight cannot have had an answer in time. */
const starvedMs = longestFlightMs / 2
/** Of each rule, so many breaches are explained. */
const explained = 5

/** What went wrong, by invariant. */
export type Violations = Map<string, number>

/**
 * R14: every fault in an order drawn from the seed, on all nodes but one or on all of them, on a chain that grows and
 * reorganises; each answer is held against the chain.
 */
export async function runStorm(chain: Chain, seed: number, responses: number): Promise<Figure[]> {
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => startChaosNode(chain)))
  for (const node of nodes) {
    node.reverts = isReverted
    node.delayMs = 1
  }
  const engines = [createOurEngine(nodes)]
  const violations: Violations = new Map()
  const tally = { asked: 0, answered: 0, starved: 0 }
  const pulse = startPulse()
  const random = createRandom(seed)
  // A node of another chain is left for good, so the engine is started anew as its operator would.
  const weather = createWeather(
    { nodes, chain, random },
    {
      onOtherChain: () => engines.push(createOurEngine(nodes)),
      areAllTrusted: () =>
        engines
          .at(-1)!
          .nodes()
          .every(({ isDemoted }) => !isDemoted),
    },
  )
  const ask = async () => {
    while (tally.answered < responses) {
      if (tally.asked % spell === 0) weather.change()
      const place = tally.asked++
      const engine = engines.at(-1)!
      tally.answered += await askOne(
        { engine, chain, nodes, violations, tally, pulse, random, weather, seed },
        place,
      )
      if (weather.epoch() === 'calm')
        await new Promise((resolve) => setTimeout(resolve, calmPauseMs))
    }
  }
  try {
    await Promise.all(Array.from({ length: inFlight }, ask))
  } finally {
    pulse.stop()
    for (const engine of engines) engine.stop()
    await Promise.all(nodes.map((node) => node.stop()))
  }
  const total = [...violations.values()].reduce((sum, count) => sum + count, 0)
  for (const [name, count] of violations)
    console.error(`violated ${count} times: ${name} (seed ${seed})`)
  return [
    figureOf('storm.responses', tally.answered, 'count'),
    // Refusals while the machine did other work and nobody here could have answered.
    figureOf('storm.starved', tally.starved, 'count'),
    figureOf('violations', total, 'count'),
  ]
}

/** What the nodes do for a while. */
type Epoch = 'calm' | 'faults' | 'outage' | 'lies'

const epochs: readonly Epoch[] = ['faults', 'faults', 'faults', 'lies', 'lies', 'outage']

type Sky = { nodes: readonly ChaosNode[]; chain: Chain; random: Random }

/** What answers are to be expected. */
type Weather = {
  change: () => void
  epoch: () => Epoch
  /** Whether an error is true of what the nodes did since a time (monotonic milliseconds). */
  excuses: (code: string, since: number) => boolean
}

/**
 * Faults on all nodes but one, faults on all of them, or lies of one beside two that tell the truth, with a calm after
 * each that outlasts every request under way, so that an answer can be held against one epoch.
 *
 * @param hooks.onOtherChain Called when the calm comes after a node was of another chain.
 * @param hooks.areAllTrusted Whether no node is demoted.
 */
function createWeather(
  { nodes, chain, random }: Sky,
  { areAllTrusted, onOtherChain }: { onOtherChain: () => void; areAllTrusted: () => boolean },
): Weather {
  let epoch: Epoch = 'calm'
  let [sound, calmUntil, spellsLeft] = [0, 0, 0]
  let drawn = new Set<Fault>()
  const [outages, reverts] = [createSpan(), createSpan()]
  const change = () => {
    if (random.below(12) === 0) chain.reorganise(1 + random.below(3))
    else if (random.below(3) === 0) chain.grow()
    if (spellsLeft === 0 && epoch !== 'calm') {
      epoch = 'calm'
      calmUntil = performance.now() + calmMs
      for (const node of nodes) node.fault = () => undefined
      for (const span of [outages, reverts]) span.end()
      if (drawn.has('wrongChain')) onOtherChain()
      drawn = new Set()
    }
    if (spellsLeft === 0 && performance.now() < calmUntil) return
    if (epoch === 'calm') {
      epoch = random.pick(epochs)
      sound = random.below(nodeCount)
      if (epoch === 'outage') outages.start()
      spellsLeft = epoch === 'outage' ? spellsPerOutage : spellsPerEpoch
    }
    spellsLeft--
    if (epoch === 'lies') {
      const lie = random.pick(lies)
      // Of two nodes alone none can tell which one lies.
      nodes[sound]!.fault = () => (areAllTrusted() ? lie : undefined)
    } else drawFaults({ nodes, chain, random }, sound, epoch === 'outage', drawn)
    if (drawn.has('revert')) reverts.start()
  }
  const excuses = (code: string, since: number) =>
    code === 'no_route' ? reverts.reaches(since) : outages.reaches(since)
  return { change, epoch: () => epoch, excuses }
}

/** A stretch of time that begins and ends again and again. */
function createSpan() {
  let until = Number.NEGATIVE_INFINITY
  return {
    start() {
      until = Number.POSITIVE_INFINITY
    },
    end() {
      until = Math.min(until, performance.now())
    },
    reaches: (time: number) => until >= time,
  }
}

function drawFaults({ nodes, random }: Sky, sound: number, isOutage: boolean, drawn: Set<Fault>) {
  for (const [index, node] of nodes.entries()) {
    if (index === sound && !isOutage) continue
    // Two nodes that halt alike are believed, so one alone may.
    const mayHalt = index === (sound + 1) % nodeCount
    const fault = random.pick(
      mayHalt ? mechanical : mechanical.filter((each) => each !== 'outOfGas'),
    )
    drawn.add(fault)
    const part = random.pick([1, 0.2])
    const dice = createRandom(random.below(2 ** 31))
    node.fault = () => (dice.next() < part ? fault : undefined)
  }
}

type Storm = {
  engine: Engine
  chain: Chain
  nodes: readonly ChaosNode[]
  seed: number
  violations: Violations
  tally: { starved: number }
  pulse: Pulse
  random: Random
  weather: Weather
}

async function askOne(storm: Storm, place: number): Promise<number> {
  const { engine, random } = storm
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
    const answers = await engine.quoteMany(amounts.map(requestOf), { signal: leaving.signal })
    check(storm, amounts, answers, startedAt)
    return answers.length
  } catch {
    if (!isAbandoned)
      violate(storm, 'a request that nobody gave up was given up', 'nothing', startedAt)
    return 1
  }
}

function check(
  storm: Storm,
  amounts: readonly bigint[],
  answers: readonly Settled<QuoteAnswer>[],
  startedAt: number,
) {
  const blocks = new Set<string>()
  for (const [index, answer] of answers.entries()) {
    const amountIn = amounts[index]!
    if (!answer.ok) {
      const { code } = answer.error as { code: string }
      if (code === 'no_route' && isReverted(amountIn)) continue
      const since = startedAt - longestFlightMs
      if (storm.weather.excuses(code, since)) continue
      if (storm.pulse.starvedMs(since) >= starvedMs) storm.tally.starved++
      else violate(storm, `${code} that is not true`, code, startedAt)
      continue
    }
    const { block, cache, quote, rpcTried } = answer.value
    // Who joins a flight gets what it left with.
    const askedAt = cache === 'coalesced' ? startedAt - longestFlightMs : startedAt
    const broken = (name: string) => violate(storm, name, answer.value, askedAt)
    blocks.add(block.parentHash)
    if (isReverted(amountIn)) broken('a quote of what every node reverts')
    if (quote.plan.witness.parentHash !== block.parentHash) broken('a witness of another block')
    if (rpcTried > mostTried) broken('too many nodes asked')
    if (!isTrue(storm.chain, amountIn, quote.plan, askedAt))
      broken('an answer that is not true, or old')
  }
  if (blocks.size > 1) violate(storm, 'a batch of two blocks', [...blocks].join(), startedAt)
}

function violate(storm: Storm, name: string, answer: QuoteAnswer | string, askedAt: number) {
  const { violations, weather } = storm
  const count = (violations.get(name) ?? 0) + 1
  violations.set(name, count)
  if (count <= explained)
    console.error(explain(name, answer, { ...storm, askedAt, epoch: weather.epoch() }))
}
