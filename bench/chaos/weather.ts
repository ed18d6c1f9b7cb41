import type { Chain } from './Chain.js'
import type { ChaosNode } from './ChaosNode.js'
import { type Fault, faults, lies } from './faults.js'
import { createRandom, type Random } from './Random.js'

/** Faults that do not make a false response look true, except a revert, which the engine accepts. */
const mechanical = faults.filter((fault) => !lies.includes(fault))
const spellsPerEpoch = 10
/** Fewer if no node is healthy, because most requests then take the maximum time. */
const spellsPerOutage = 1
/** A flight's time budget, plus the second in which a throttled node gets no requests. */
const calmMs = 3_400
/** An excluded node must get a request within this time. */
export const askedAgainMs = 5_000

/** Behavior of the nodes for some time. */
export type Epoch = 'calm' | 'faults' | 'outage' | 'lies'

const epochs: readonly Epoch[] = ['faults', 'faults', 'faults', 'lies', 'lies', 'outage']

type Hooks = {
  areAllIn: () => boolean
  areAllTrusted: () => boolean
  onCalm: () => void
}

type Sky = { nodes: readonly ChaosNode[]; chain: Chain; random: Random }

/** Changes the faults of the nodes, and tells which responses are acceptable. */
export type Weather = {
  change: () => void
  epoch: () => Epoch
  /** Whether the faults since a time (monotonic milliseconds) explain an error code. */
  excuses: (code: string, since: number) => boolean
}

/**
 * Alternates three kinds of epochs: faults on all nodes except one, faults on all nodes, or one node that lies while two
 * are honest. A calm epoch follows each. It lasts longer than every request in progress, so that each response belongs to
 * one epoch, and until no node is excluded any more; a separate rule limits how long this may take.
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
    if (random.below(12) === 0) chain.reorganize(1 + random.below(3))
    else if (random.below(3) === 0) chain.grow()
    if (spellsLeft === 0 && epoch !== 'calm') {
      epoch = 'calm'
      calmUntil = performance.now() + calmMs
      for (const node of nodes) node.fault = () => undefined
      // Nodes of another chain get requests again a little later, and until then there may be no usable node.
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
      // With only two nodes, the engine cannot know which one lies.
      nodes[sound]!.fault = () => (areAllTrusted() ? lie : undefined)
    } else drawFaults({ nodes, chain, random }, sound, epoch === 'outage', drawn)
    if (drawn.has('revert')) reverts.start()
  }
  const excuses = (code: string, since: number) =>
    code === 'no_route' ? reverts.reaches(since) : outages.reaches(since)
  return { change, epoch: () => epoch, excuses }
}

/** Records a condition that begins and ends repeatedly. */
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
    // The engine would accept the state of two nodes that halt, so only one may halt.
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
