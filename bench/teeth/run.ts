import type { Figure } from '../lib/figures.js'
import { openWorkshop } from './openWorkshop.js'
import type { Bug, Planting } from './planting.js'
import { plantings } from './plantings.js'

/**
 * The share of planted bugs that turn the tests red. Each bug is one small change of a contract, made in a copy and run
 * against the suites that answer for that contract, with shorter campaigns than theirs. Says on the error stream what
 * became of each. `only` picks sets by name.
 */
export async function run({ only = [] }: { only?: readonly string[] }): Promise<Figure[]> {
  const picked = plantings.filter(({ set }) => only.length === 0 || only.includes(set))
  if (picked.length === 0)
    throw new Error(`None is picked. Sets: ${plantings.map(({ set }) => set).join(', ')}.`)

  const scores = picked.map(score)
  const red = scores.reduce((sum, each) => sum + each.red, 0)
  const planted = scores.reduce((sum, each) => sum + each.planted, 0)
  return [...scores, { set: 'all', red, planted }].flatMap((each) => [
    figure(each.set, 'red', each.red / each.planted, 'share'),
    figure(each.set, 'planted', each.planted, 'bugs'),
  ])
}

function score({ set, suites, bugs }: Planting) {
  const workshop = openWorkshop(suites)
  try {
    workshop.demandGreen()
    const red = bugs.filter((bug) => {
      const turned = workshop.turnsRed(bug)
      console.error(`${turned ? 'red' : 'SURVIVED'}: ${shown(bug)}`)
      return turned
    }).length
    return { set, red, planted: bugs.length }
  } finally {
    workshop.close()
  }
}

function figure(set: string, name: string, value: number, unit: string): Figure {
  return { bench: 'teeth', figure: name, value, unit, set }
}

function shown({ file, from, to }: Bug): string {
  return `${file}: ${oneLine(from)} → ${to === '' ? '(nothing)' : oneLine(to)}`
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
