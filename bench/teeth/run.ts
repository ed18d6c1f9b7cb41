import { readFileSync } from 'node:fs'
import type { Figure } from '../lib/figures.js'
import { inRepository } from '../lib/repository.js'
import { mutantSets } from './mutants/sets.js'
import { testMutants } from './mutants/testMutants.js'
import { openWorkshop, type Workshop } from './openWorkshop.js'
import type { Bug, Planting } from './planting.js'
import { plantings } from './plantings.js'
import type { Score } from './Score.js'

/** Number of mutants per set. */
const drawn = 30

/**
 * Measures the share of bugs that make tests fail. A bug is one small change of a contract, made in a copy and run against
 * the test files that must cover it, with shorter fuzz campaigns. Bugs are inserted by hand, or are random mutants from a
 * seed, `count` for each set. Prints the result of each to standard error. `only` selects sets by name.
 */
export async function run({
  count = drawn,
  only = [],
  seed = 1,
}: {
  count?: number
  only?: readonly string[]
  seed?: number
}): Promise<Figure[]> {
  const isPicked = ({ set }: { set: string }) => only.length === 0 || only.includes(set)
  const planted = plantings.filter(isPicked)
  const mutated = mutantSets().filter(isPicked)
  if (planted.length + mutated.length === 0) {
    const names = [...plantings, ...mutantSets()].map(({ set }) => set)
    throw new Error(`No set is selected. Sets: ${names.join(', ')}.`)
  }

  const scores = planted.map(scoreOf)
  const ofFiles: Score[] = []
  for (const set of mutated) {
    const files = testMutants(set, { count, seed })
    ofFiles.push(...files)
    scores.push(sumOf(set.set, files))
  }
  return [...ofFiles, ...scores, sumOf('all', scores)].flatMap(({ planted, red, set }) => [
    figure(set, 'score', red / planted, 'share'),
    figure(set, 'red', red, 'bugs'),
    figure(set, 'planted', planted, 'bugs'),
  ])
}

function scoreOf({ set, suites, bugs }: Planting): Score {
  const workshop = openWorkshop(suites)
  try {
    workshop.demandGreen()
    const red = bugs.filter((bug) => {
      const turned = turnsRed(workshop, bug)
      console.error(`${turned ? 'red' : 'SURVIVED'}: ${shown(bug)}`)
      return turned
    }).length
    return { set, red, planted: bugs.length }
  } finally {
    workshop.close()
  }
}

function turnsRed(workshop: Workshop, { file, from, narrow, to }: Bug): boolean {
  const sound = readFileSync(inRepository(`contracts/src/${file}`), 'utf8')
  if (sound.split(from).length !== 2)
    throw new Error(`${file} does not contain this exactly once: ${from}`)
  const outcome = workshop.plant(
    file,
    sound.replace(from, () => to),
    narrow,
  )
  if (outcome === 'stillborn') throw new Error(`${file} does not compile with: ${to}`)
  return outcome !== 'green'
}

function sumOf(set: string, scores: readonly Score[]): Score {
  return {
    set,
    red: scores.reduce((sum, each) => sum + each.red, 0),
    planted: scores.reduce((sum, each) => sum + each.planted, 0),
  }
}

function figure(set: string, name: string, value: number, unit: string): Figure {
  return { bench: 'teeth', figure: name, value, unit, set }
}

function shown({ file, from, name, to }: Bug): string {
  if (name) return `${file}: ${name}`
  return `${file}: ${oneLine(from)} → ${to === '' ? '(nothing)' : oneLine(to)}`
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
