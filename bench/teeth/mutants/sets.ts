import { readdirSync } from 'node:fs'
import { inRepository } from '../../lib/repository.js'

/** Files to mutate, relative to `contracts/src`, and the test files that must cover them. */
export type MutantSet = {
  readonly set: string
  readonly files: readonly string[]
  /** Relative to `contracts/test`. */
  readonly suites: readonly string[]
}

/** Returns the sets to mutate. Files that the sets of inserted bugs cover are not included. */
export function mutantSets(): MutantSet[] {
  const routers = [
    ...suitesIn('v1', 'Router.t.sol'),
    ...suitesIn(
      'v2',
      'Router.t.sol',
      'RouterIntegratorFee.t.sol',
      'RouterNative.t.sol',
      'RouterSignatures.t.sol',
    ),
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
      suites: [
        ...suitesIn('execution'),
        ...suitesIn('hostile'),
        ...suitesIn('output'),
        ...suitesIn('adapters', 'UniswapV4Hooks.t.sol'),
        ...solver,
      ],
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
      suites: [...venues, ...suitesIn('adapters')],
    },
    { set: 'venues', files: ['Sampler.sol', ...filesIn('venues')], suites: venues },
  ]
}

/** Returns all or some test files of a folder; none if the folder does not exist. */
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
