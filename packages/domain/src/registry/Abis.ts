import {
  coreAbi,
  finderAbi,
  hubAbi,
  optimizerAbi,
  pricerAbi,
  quoterAbi,
  routerAbi,
  routerV2Abi,
  samplerAbi,
  sluAbi,
  solverAbi,
  stakingAbi,
} from '@sluice/abi'
import * as Reverts from '../swap/Reverts.js'

type Abi = readonly { readonly type: string }[]

/** Adds the errors of tokens, venues, Permit2 and libraries that can end a call to a contract. */
function withForeign(abi: Abi): Abi {
  const own = new Set(
    abi.flatMap((item) => (Reverts.isError(item) ? [Reverts.selectorOf(item)] : [])),
  )
  return [...abi, ...Reverts.foreignAbi.filter((item) => !own.has(Reverts.selectorOf(item)))]
}

/** ABIs of generation 1.0.0. `errors` has the errors of all contracts. */
const first = {
  hub: hubAbi,
  solver: solverAbi,
  optimizer: optimizerAbi,
  finder: finderAbi,
  pricer: pricerAbi,
  sampler: samplerAbi,
  quoter: withForeign(quoterAbi),
  router: withForeign(routerAbi),
  slu: sluAbi,
  errors: Reverts.abi,
} as const satisfies Record<string, Abi>

const second = {
  ...first,
  core: coreAbi,
  router: withForeign(routerV2Abi),
  staking: stakingAbi,
} as const satisfies Record<string, Abi>

const generations: ReadonlyMap<string, ReadonlyMap<string, Abi>> = new Map([
  ['1.0.0', new Map<string, Abi>(Object.entries(first))],
  ['2.0.0', new Map<string, Abi>(Object.entries(second))],
])

/** Versions that have ABIs. */
export const versions: readonly string[] = [...generations.keys()]

/** Contracts with an ABI, and the generations that have them. */
export function list(): readonly { contract: string; versions: readonly string[] }[] {
  const names = new Set([...generations.values()].flatMap((abis) => [...abis.keys()]))
  return [...names].map((contract) => ({
    contract,
    versions: versions.filter((version) => generations.get(version)!.has(contract)),
  }))
}

/** ABI of a contract in a generation; `undefined` if the generation has no such contract. */
export function find(contract: string, version: string): Abi | undefined {
  return generations.get(version)?.get(contract)
}
