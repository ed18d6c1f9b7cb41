import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { inRepository } from '../../lib/repository.js'
import * as Random from '../../optimizer/Random.js'
import { type Outcome, openWorkshop, type Workshop } from '../openWorkshop.js'
import type { Score } from '../Score.js'
import { type Mutant, mutantsOf, mutated } from './mutantsOf.js'
import type { MutantSet } from './sets.js'
import { reasonFor } from './survivors.js'

/** Results of mutants, one per line with a hash of the sources, so that an interrupted run can continue. */
const cachePath = inRepository('.sluice/teeth.jsonl')

/**
 * Draws mutants of a set's files and runs the tests against each. A mutant that does not compile does not count and is
 * replaced by another.
 *
 * @returns A score for each file with a mutant.
 */
export function testMutants(
  { files, set, suites }: MutantSet,
  { count, seed }: { count: number; seed: number },
): Score[] {
  const queue = shuffled(Random.from(seed), files.flatMap(mutantsOf))
  const workshops = new Map<string, { workshop: Workshop; isGreen: boolean }>()
  const scores = new Map<string, Score>()
  try {
    for (let tested = 0; tested < count && queue.length > 0; ) {
      const mutant = queue.shift()!
      const outcome = outcomeOf(mutant)
      if (outcome === 'stillborn') continue
      tested += 1
      const name = `${set}/${mutant.file}`
      const score = scores.get(name) ?? { set: name, red: 0, planted: 0 }
      const isRed = outcome !== 'green'
      scores.set(name, {
        ...score,
        red: score.red + (isRed ? 1 : 0),
        planted: score.planted + 1,
      })
      console.error(`${isRed ? outcome : `SURVIVED (${reasonFor(mutant)})`}: ${shown(mutant)}`)
    }

    function outcomeOf(mutant: Mutant): Outcome {
      // If a file has its own tests, these run first, in a small folder that compiles fast.
      const own = suites.filter((suite) => basename(suite).startsWith(basename(mutant.file, 'sol')))
      if (own.length > 0 && own.length < suites.length) {
        const outcome = ask(own, mutant)
        if (outcome !== 'green') return outcome
      }
      return ask(suites, mutant)
    }

    function ask(asked: readonly string[], mutant: Mutant): Outcome {
      const key = asked.join()
      const at = workshops.get(key) ?? { workshop: openWorkshop(asked), isGreen: false }
      workshops.set(key, at)
      const before = known(at.workshop, mutant)
      if (before) return before
      if (!at.isGreen) at.workshop.demandGreen()
      at.isGreen = true
      const sound = readFileSync(inRepository(`contracts/src/${mutant.file}`))
      const outcome = at.workshop.plant(mutant.file, mutated(mutant, sound))
      remember(at.workshop, mutant, outcome)
      return outcome
    }
  } finally {
    for (const { workshop } of workshops.values()) workshop.close()
  }
  return [...scores.values()]
}

function shuffled<item>(random: Random.Random, items: readonly item[]): item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function known(workshop: Workshop, mutant: Mutant): Outcome | undefined {
  if (!existsSync(cachePath)) return undefined
  const key = keyOf(workshop, mutant)
  const lines = readFileSync(cachePath, 'utf8').trim().split('\n')
  const line = lines.findLast((each) => each.includes(key))
  return line ? (JSON.parse(line) as { outcome: Outcome }).outcome : undefined
}

function remember(workshop: Workshop, mutant: Mutant, outcome: Outcome) {
  mkdirSync(inRepository('.sluice'), { recursive: true })
  const line = { key: keyOf(workshop, mutant), outcome, mutant: shown(mutant) }
  appendFileSync(cachePath, `${JSON.stringify(line)}\n`)
}

function keyOf({ digest }: Workshop, mutant: Mutant): string {
  return createHash('sha256')
    .update(`${digest}${JSON.stringify(mutant)}`)
    .digest('hex')
}

function shown({ file, from, line, to }: Mutant): string {
  return `${file}:${line}: ${oneLine(from)} → ${to === '' ? '(nothing)' : oneLine(to)}`
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
