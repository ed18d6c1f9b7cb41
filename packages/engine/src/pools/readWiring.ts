import { hubAbi } from '@sluice/abi'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  toFunctionSelector,
} from 'viem'
import type { ChainState } from '../ChainState.js'
import type { AskNode } from '../logs/AskNode.js'
import { adapterCall, adapterKind, addressIn } from './adapterCalls.js'
import { askAll } from './askAll.js'

export type Wiring = {
  /** Contracts that announce pools. */
  readonly factories: readonly Address[]
  readonly attested: readonly AttestedVenue[]
  readonly connectorTokens: readonly Address[]
  /** Tokens of each pool that the Hub lists. */
  readonly listed: readonly (readonly Address[])[]
}

/** A venue with an adapter; addresses in lower case. */
export type AttestedVenue = {
  readonly adapter: Address
  /** The contract that vouches for the pools. */
  readonly registry: Address
  /** The contract that keeps the pools and announces them, if it is another than the registry. */
  readonly manager?: Address | undefined
}

/**
 * Reads the configuration of the chain's Hub; if none is deployed, of the one in the chain's state override.
 *
 * @throws if the node does not answer.
 */
export async function readWiring({ chain }: ChainState, ask: AskNode): Promise<Wiring> {
  const abi = hubAbi
  const names = ['venues', 'connectorTokens', 'pools'] as const
  const { hub } = chain.contracts
  const brought = chain.stateOverride?.[hub]
  const outcomes = await ask(
    names.map((functionName) => {
      const call = { to: hub, data: encodeFunctionData({ abi, functionName }) }
      const params = [call, 'latest', ...(brought ? [{ [hub]: brought }] : [])]
      return { method: 'eth_call', params }
    }),
  )
  const [venues, connectors, pools] = outcomes.map((outcome) =>
    outcome.ok ? (outcome.result as Hex) : '0x',
  )
  const configs = decodeFunctionResult({ abi, functionName: 'venues', data: venues! })
  const attested = configs
    .filter(({ venue }) => venue.enabled && venue.kind === adapterKind)
    .map(({ factory, venue }) => ({
      adapter: venue.deployer.toLowerCase() as Address,
      registry: factory.toLowerCase() as Address,
    }))
  const managers = await readManagers(chain, ask, attested)
  const functionName = 'connectorTokens'
  return {
    factories: [
      ...configs.map(({ factory }) => factory),
      ...managers.flatMap((manager) => manager ?? []),
    ],
    attested: attested.map((venue, index) => ({ ...venue, manager: managers[index] })),
    connectorTokens: decodeFunctionResult({ abi, functionName, data: connectors! }),
    listed: decodeFunctionResult({ abi, functionName: 'pools', data: pools! }).map(
      ({ tokens }) => tokens,
    ),
  }
}

/** Asks each adapter which contract keeps its pools. Most have none: each of their pools is a contract. */
async function readManagers(
  { stateOverride }: ChainState['chain'],
  ask: AskNode,
  attested: readonly AttestedVenue[],
): Promise<readonly (Address | undefined)[]> {
  const answers = await askAll(
    ask,
    attested.map(({ adapter }) => adapterCall(adapter, managerOf, stateOverride)),
  )
  return answers.map(addressIn)
}

const managerOf = toFunctionSelector('manager()')
