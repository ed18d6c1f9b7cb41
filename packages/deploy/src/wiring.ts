import { hubAbi } from '@sluice/abi'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  isAddressEqual,
  keccak256,
  zeroAddress,
} from 'viem'
import { DeployError } from './errors.js'
import type { HubConfig, HubVenue } from './hubConfig.js'
import type { Rpc } from './rpc.js'

const readers = [
  'wrappedNative',
  'usdc',
  'settlement',
  'connectorTokens',
  'venues',
  'pools',
] as const

/** What a Hub is wired with, or undefined where it is not initialised yet. */
export async function readWiring(rpc: Rpc, hub: Address): Promise<HubConfig | undefined> {
  const answers = await rpc.batch<Hex>(
    readers.map((functionName) => [
      'eth_call',
      [{ to: hub, data: encodeFunctionData({ abi: hubAbi, functionName }) }, 'latest'],
    ]),
  )
  const [wrappedNative, usdc, settlement, connectorTokens, venues, pools] = answers as [
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
  ]
  const decoded = decodeFunctionResult({
    abi: hubAbi,
    functionName: 'wrappedNative',
    data: wrappedNative,
  })
  if (isAddressEqual(decoded, zeroAddress)) return undefined
  return {
    wrappedNative: decoded,
    usdc: decodeFunctionResult({ abi: hubAbi, functionName: 'usdc', data: usdc }),
    feeRecipient: decodeFunctionResult({
      abi: hubAbi,
      functionName: 'settlement',
      data: settlement,
    })[0],
    connectorTokens: decodeFunctionResult({
      abi: hubAbi,
      functionName: 'connectorTokens',
      data: connectorTokens,
    }),
    venues: decodeFunctionResult({ abi: hubAbi, functionName: 'venues', data: venues }),
    pools: decodeFunctionResult({ abi: hubAbi, functionName: 'pools', data: pools }),
  }
}

/**
 * Fails where a Hub is wired otherwise than the config says, naming each call that its owner has to make. Nothing is
 * changed here: additions wait out the Hub's timelock, and a removal is a decision.
 *
 * @throws DeployError `WIRING_DIFFERS`
 */
export function demandSameWiring(hub: Address, current: HubConfig, wanted: HubConfig) {
  const differences = [
    ...fixedDifference('wrappedNative', current.wrappedNative, wanted.wrappedNative),
    ...fixedDifference('usdc', current.usdc, wanted.usdc),
    ...feeRecipientDifference(current, wanted),
    ...connectorDifferences(current, wanted),
    ...venueDifferences(current, wanted),
    ...poolDifferences(current, wanted),
  ]
  if (differences.length === 0) return
  throw new DeployError(
    'WIRING_DIFFERS',
    [
      `The Hub at ${hub} is already wired, and otherwise than the config says. Nothing was changed. To make them equal:`,
      ...differences.map((difference) => `- ${difference}`),
    ].join('\n'),
  )
}

function fixedDifference(name: string, current: Address, wanted: Address): string[] {
  if (isAddressEqual(current, wanted)) return []
  return [`${name} is ${current} for good: put it into the config, or deploy with another owner.`]
}

function feeRecipientDifference(current: HubConfig, wanted: HubConfig): string[] {
  if (isAddressEqual(current.feeRecipient, wanted.feeRecipient)) return []
  const data = encodeFunctionData({
    abi: hubAbi,
    functionName: 'setFeeRecipient',
    args: [wanted.feeRecipient],
  })
  return [timelocked(`setFeeRecipient(${wanted.feeRecipient})`, data)]
}

function connectorDifferences(current: HubConfig, wanted: HubConfig): string[] {
  const missing = without(wanted.connectorTokens, current.connectorTokens)
  const extra = without(current.connectorTokens, wanted.connectorTokens)
  return [
    ...extra.map((token) => `the owner calls removeConnector(${token}).`),
    ...missing.map((token) =>
      timelocked(
        `addConnector(${token})`,
        encodeFunctionData({ abi: hubAbi, functionName: 'addConnector', args: [token] }),
      ),
    ),
  ]
}

function venueDifferences(current: HubConfig, wanted: HubConfig): string[] {
  // A removed venue keeps its number, so numbers count all of them.
  const enabled = current.venues
    .map((venue, index) => ({ venue, number: index + 1 }))
    .filter(({ venue }) => venue.venue.enabled)
  const extra = enabled.filter(({ venue }) => !wanted.venues.some((other) => isSame(venue, other)))
  const missing = wanted.venues.filter(
    (venue) => !enabled.some((other) => isSame(venue, other.venue)),
  )
  return [
    ...extra.map(
      ({ venue, number }) => `the owner calls removeVenue(${number}), which is ${nameOf(venue)}.`,
    ),
    ...missing.map((venue) =>
      timelocked(
        `addVenue for ${nameOf(venue)}`,
        encodeFunctionData({ abi: hubAbi, functionName: 'addVenue', args: [venue] }),
      ),
    ),
  ]
}

function poolDifferences(current: HubConfig, wanted: HubConfig): string[] {
  const listed = current.pools
    .map((pool, index) => ({ pool, number: index + 1 }))
    .filter(({ pool }) => pool.pool !== zeroAddress)
  const extra = listed.filter(
    ({ pool }) => !wanted.pools.some((other) => poolData(other) === poolData(pool)),
  )
  const missing = wanted.pools.filter(
    (pool) => !listed.some((other) => poolData(other.pool) === poolData(pool)),
  )
  return [
    ...extra.map(
      ({ pool, number }) => `the owner calls removePool(${number}), which is ${pool.pool}.`,
    ),
    ...missing.map((pool) => timelocked(`addPool for ${pool.pool}`, poolData(pool))),
  ]
}

function poolData(pool: HubConfig['pools'][number]): Hex {
  return encodeFunctionData({ abi: hubAbi, functionName: 'addPool', args: [pool] })
}

function timelocked(call: string, data: Hex): string {
  return `the owner calls schedule(${keccak256(data)}) and, after the timelock, ${call}; its call data is ${data}`
}

function isSame(a: HubVenue, b: HubVenue): boolean {
  return venueData(a) === venueData(b)
}

/** One text for equal venues; the encoder levels the case of addresses. */
function venueData(venue: HubVenue): Hex {
  return encodeFunctionData({ abi: hubAbi, functionName: 'addVenue', args: [venue] })
}

function nameOf({ id }: HubVenue): string {
  return `"${hexToString(id, { size: 32 })}"`
}

function without(tokens: readonly Address[], others: readonly Address[]): Address[] {
  return tokens.filter((token) => !others.some((other) => isAddressEqual(token, other)))
}
