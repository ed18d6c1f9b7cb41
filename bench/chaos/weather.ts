import type { Chain } from './Chain.js'
import type { ChaosNode } from './ChaosNode.js'
import { type Fault, faults, lies } from './faults.js'
import { createRandom, type Random } from './Random.js'

/** Faults that do not put the truth in doubt, but for a revert, which is believed. */
const mechanical = faults.filter((fault) => !lies.includes(fault))
const spellsPerEpoch = 10
/** If no node is sound, most requests take as long as they may. */
const spellsPerOutage = 1
/** A flight's budget, and the second for which a throttled node is left alone. */
const calmMs = 3_400
/** A node that is left out must be asked again within this. */
export const askedAgainMs = 5_000

/** What the nodes do for a while. */
export type Epoch = 'calm' | 'faults' | 'outage' | 'lies'

const epochs: readonly Epoch[] = ['faults', 'faults', 'faults', 'lies', 'lies', 'outage']

type Hooks = {
  areAllIn: () => boolean
  areAllTrusted: () => boolean
  onCalm: () => void
}

type Sky = { nodes: readonly ChaosNode[]; chain: Chain; random: Random }

/** What answers are to be expected. */
export type Weather = {
  change: () => void
  epoch: () => Epoch
  /** Whether the faults of the nodes since a time (monotonic milliseconds) explain an error code. */
  excuses: (code: string, since: number) => boolean
}

/**
 * Faults on all nodes but one, faults on all of them, or lies of one beside two that tell the truth, with a calm after
 * each that outlasts every request under way, so that an answer can be held against one epoch. The calm lasts until no
 * node is left out any more; how long that may take is a rule of its own.
 *
 * @param hooks.areAllIn Whether no node is excluded.
 * @param hooks.areAllTrusted Whether no node is demoted.
 * @param hooks.onCalm Called when a calm begins.
 */
export function createWeather(
  { nodes, chain, random }: Sky,
  { areAllIn, areAllTrusted, onCalm }: Hooks,
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
      // Nodes of another chain are asked again a little later, and until then there may be none.
      const isLate = drawn.has('wrongChain')
      outages.end(isLate ? askedAgainMs : 0)
      reverts.end()
      onCalm()
      drawn = new Set()
    }
    if (spellsLeft === 0 && performance.now() < calmUntil) return
    if (spellsLeft === 0 && !areAllIn()) return
    if (epoch === 'calm') {
      epoch = random.pick(epochs)
      sound = random.below(nodes.length)
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
    end(afterMs = 0) {
      until = Math.min(until, performance.now() + afterMs)
    },
    reaches: (time: number) => until >= time,
  }
}

function drawFaults({ nodes, random }: Sky, sound: number, isOutage: boolean, drawn: Set<Fault>) {
  for (const [index, node] of nodes.entries()) {
    if (index === sound && !isOutage) continue
    // Two nodes that halt alike are believed, so one alone may.
    const mayHalt = index === (sound + 1) % nodes.length
    const fault = random.pick(
      mayHalt ? mechanical : mechanical.filter((each) => each !== 'outOfGas'),
    )
    drawn.add(fault)
    const part = random.pick([1, 0.2])
    const dice = createRandom(random.below(2 ** 31))
    node.fault = () => (dice.next() < part ? fault : undefined)
  }
}
