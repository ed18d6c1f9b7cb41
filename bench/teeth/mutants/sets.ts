import { readdirSync } from 'node:fs'
import { inRepository } from '../../lib/repository.js'

/** Files to put bugs in, named from `contracts/src`, and the test files that answer for them. */
export type MutantSet = {
  readonly set: string
  readonly files: readonly string[]
  /** Named from `contracts/test`. */
  readonly suites: readonly string[]
}

/** The sets that are mutated. What the planted sets cover file by file stays with them. */
export function mutantSets(): MutantSet[] {
  const routers = [
    ...suitesIn('v1', 'Router.t.sol'),
    ...suitesIn('v2', 'Router.t.sol', 'RouterNative.t.sol', 'RouterSignatures.t.sol'),
  ]
  const venues = [...suitesIn('venues'), ...suitesIn('v2', 'RouterNative.t.sol')]
  const solver = [...suitesIn('solver'), ...suitesIn('bound')]
  const shared = [...filesIn('libraries'), ...filesIn('math')]
  const units = [...suitesIn('libraries'), ...suitesIn('math')]
  const hasOwn = (file: string) => units.includes(file.replace('.sol', '.t.sol'))
  return [
    {
      set: 'execution',
      files: ['execution/Execution.sol', 'execution/Holdings.sol'],
      suites: routers,
    },
    { set: 'routers', files: ['v1/Router.sol', 'v2/Router.sol'], suites: routers },
    {
      set: 'dryRun',
      files: ['execution/DryRun.sol', 'Quoter.sol'],
      suites: [...suitesIn('execution'), ...suitesIn('hostile'), ...solver],
    },
    {
      set: 'solver',
      files: ['Solver.sol', 'Pricer.sol', ...filesIn('solver')],
      suites: solver,
    },
    {
      set: 'optimizer',
      files: filesIn('optimizer'),
      suites: suitesIn('optimizer'),
    },
    { set: 'math', files: shared.filter(hasOwn), suites: units },
    {
      set: 'libraries',
      files: shared.filter((file) => !hasOwn(file)),
      suites: venues,
    },
    { set: 'venues', files: ['Sampler.sol', ...filesIn('venues')], suites: venues },
  ]
}

/** Test files of a folder, all or some; none if there is no such folder. */
function suitesIn(folder: string, ...names: readonly string[]): string[] {
  return list(`contracts/test/${folder}`, '.t.sol')
    .filter((name) => names.length === 0 || names.includes(name))
    .map((name) => `${folder}/${name}`)
}

function filesIn(folder: string): string[] {
  return list(`contracts/src/${folder}`, '.sol').map((name) => `${folder}/${name}`)
}

function list(path: string, ending: string): string[] {
  try {
    return readdirSync(inRepository(path))
      .filter((name) => name.endsWith(ending))
      .sort()
  } catch {
    return []
  }
}
