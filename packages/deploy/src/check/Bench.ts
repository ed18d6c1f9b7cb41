import { type trialAbi, trialDeployedBytecode } from '@sluice/abi'
import { Adapters, Undeployed } from '@sluice/domain'
import {
  type Address,
  type ContractFunctionArgs,
  getAddress,
  type Hex,
  pad,
  zeroAddress,
} from 'viem'
import { hubConfigOf } from '../hubConfig.js'
import type { ChainConfig } from '../parseChainConfig.js'

/** Address of the Trial during a call. On the chain it has no code. The Trial owns the Hub of the call and receives its fees. */
export const trial: Address = getAddress('0x0000000000000000000000000000000054726961')

/** Slot of the Hub's owner. */
const ownerSlot: Hex = pad('0x0')

/** State override of a call. */
export type Override = Readonly<
  Record<
    Address,
    {
      readonly code?: Hex
      readonly balance?: Hex
      readonly stateDiff?: Readonly<Record<Hex, Hex>>
    }
  >
>

type Contracts = Readonly<Record<Undeployed.FirstContractName, Address>>

/** The protocol as a call brings it along: compiled from this repository, with the Hub of the config. */
export type Bench = {
  readonly contracts: Contracts
  readonly override: Override
  /** First arguments of the Trial's functions. */
  readonly args: readonly [
    ContractFunctionArgs<typeof trialAbi, 'nonpayable', 'find'>[0],
    ContractFunctionArgs<typeof trialAbi, 'nonpayable', 'find'>[1],
  ]
}

/** Prepares the contracts for a chain config. Their addresses are not those of any deployment. */
export function benchOf(config: ChainConfig): Bench {
  const all = Undeployed.contractsFor(trial)
  const contracts = Object.fromEntries(all.map(({ address, name }) => [name, address])) as Contracts
  const { finder, hub, pricer, router } = contracts
  const roles = { owner: trial, guardian: zeroAddress, feeRecipient: trial }
  return {
    contracts,
    override: {
      ...Object.fromEntries(all.map(({ address, code }) => [address, { code }])),
      [hub]: { code: codeOf(all, 'hub'), stateDiff: { [ownerSlot]: pad(trial) } },
      [trial]: { code: trialDeployedBytecode },
      ...adaptersOf(config),
    },
    args: [{ hub, finder, pricer, router }, hubConfigOf(config, roles, [router])],
  }
}

/** Code of the adapters that the config's venues would have. */
function adaptersOf({ venues, wrappedNative }: ChainConfig): Override {
  const adapters = venues.flatMap(({ adapter: name, deployer, factory: registry }) =>
    name === undefined
      ? []
      : [[deployer, { code: Adapters.codeOf({ name, registry }, wrappedNative) }] as const],
  )
  return Object.fromEntries(adapters)
}

function codeOf(all: readonly Undeployed.UndeployedContract[], name: string): Hex {
  return all.find((each) => each.name === name)!.code
}
