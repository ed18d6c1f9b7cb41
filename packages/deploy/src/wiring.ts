import { hubAbi } from '@sluice/abi'
import {
  type Address,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  isAddressEqual,
  zeroAddress,
} from 'viem'
import { DeployError } from './errors.js'
import type { HubConfig, HubVenue } from './hubConfig.js'
import type { Rpc } from './rpc.js'

const readers = [
  'wrappedNative',
  'settlement',
  'owner',
  'guardian',
  'connectorTokens',
  'venues',
  'pools',
  'routers',
] as const

type Reader = (typeof readers)[number]

/** Reads a Hub's configuration and owner; `undefined` if the Hub is not initialized yet. */
export async function readWiring(rpc: Rpc, hub: Address): Promise<HubConfig | undefined> {
  const answers = await rpc.batch<Hex>(
    readers.map((functionName) => [
      'eth_call',
      [{ to: hub, data: encodeFunctionData({ abi: hubAbi, functionName }) }, 'latest'],
    ]),
  )
  const read = <name extends Reader>(functionName: name) =>
    decodeFunctionResult({
      abi: hubAbi,
      functionName: functionName as Reader,
      data: answers[readers.indexOf(functionName)]!,
    }) as ContractFunctionReturnType<typeof hubAbi, 'view', name>
  const wrappedNative = read('wrappedNative')
  if (isAddressEqual(wrappedNative, zeroAddress)) return undefined
  return {
    wrappedNative,
    feeRecipient: read('settlement')[0],
    owner: read('owner'),
    guardian: read('guardian'),
    connectorTokens: read('connectorTokens'),
    venues: read('venues'),
    pools: read('pools'),
    routers: read('routers'),
  }
}

/**
 * Throws if the Hub's configuration differs from the config, and lists the calls that its owner must make. It changes
 * nothing itself: additions must wait for the Hub's timelock, and the owner must decide about removals.
 *
 * @throws DeployError `WIRING_DIFFERS`
 */
export function demandSameWiring(hub: Address, current: HubConfig, wanted: HubConfig) {
  const differences = [
    ...fixedDifference('wrappedNative', current.wrappedNative, wanted.wrappedNative),
    ...ownerDifference(current, wanted),
    ...guardianDifference(current, wanted),
    ...feeRecipientDifference(current, wanted),
    ...connectorDifferences(current, wanted),
    ...venueDifferences(current, wanted),
    ...poolDifferences(current, wanted),
    ...routerDifferences(current, wanted),
  ]
  if (differences.length === 0) return
  throw new DeployError(
    'WIRING_DIFFERS',
    [
      `The Hub at ${hub} is already configured and differs from the config. Nothing was changed. To make them equal:`,
      ...differences.map((difference) => `- ${difference}`),
    ].join('\n'),
  )
}

function fixedDifference(name: string, current: Address, wanted: Address): string[] {
  if (isAddressEqual(current, wanted)) return []
  return [
    `${name} is ${current} and cannot change: use it in the config, or deploy from another account.`,
  ]
}

function ownerDifference({ owner }: HubConfig, wanted: HubConfig): string[] {
  if (isAddressEqual(owner, wanted.owner)) return []
  return [
    `the owner, ${owner}, calls transferOwnership(${wanted.owner}), and then ${wanted.owner} calls acceptOwnership().`,
  ]
}

function guardianDifference({ guardian }: HubConfig, wanted: HubConfig): string[] {
  if (isAddressEqual(guardian, wanted.guardian)) return []
  return [`the owner calls setGuardian(${wanted.guardian}).`]
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
  // A removed venue keeps its number, so numbers count removed venues too.
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
    ...missing.map((venue) => timelocked(`addVenue for ${nameOf(venue)}`, venueData(venue))),
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

/** Routers of other generations may be there as well; none is ever taken off. */
function routerDifferences(current: HubConfig, wanted: HubConfig): string[] {
  return without(wanted.routers, current.routers).map((router) =>
    timelocked(
      `addRouter(${router})`,
      encodeFunctionData({ abi: hubAbi, functionName: 'addRouter', args: [router] }),
    ),
  )
}

function poolData(pool: HubConfig['pools'][number]): Hex {
  return encodeFunctionData({ abi: hubAbi, functionName: 'addPool', args: [pool] })
}

/** Whether a Router lacks its Hub's settings, as one does that was created after the Hub was wired. */
export async function isBehind(rpc: Rpc, hub: Address, router: Address): Promise<boolean> {
  const data = encodeFunctionData({ abi: hubAbi, functionName: 'settings' })
  const [wanted, current] = await rpc.batch<Hex>(
    [hub, router].map((to) => ['eth_call', [{ to, data }, 'latest']]),
  )
  return wanted !== current
}

function timelocked(call: string, data: Hex): string {
  return `the owner calls schedule(${data}) and, after the timelock, ${call} with exactly this call data.`
}

function isSame(a: HubVenue, b: HubVenue): boolean {
  return venueData(a) === venueData(b)
}

/** Returns the same bytes for equal venues. The encoder normalizes the case of addresses, but not of hashes. */
function venueData(venue: HubVenue): Hex {
  const args = [
    { ...venue, venue: { ...venue.venue, initCodeHash: lower(venue.venue.initCodeHash) } },
  ] as const
  return encodeFunctionData({ abi: hubAbi, functionName: 'addVenue', args })
}

function lower(hash: Hex): Hex {
  return hash.toLowerCase() as Hex
}

function nameOf({ id }: HubVenue): string {
  return `"${hexToString(id, { size: 32 })}"`
}

function without(tokens: readonly Address[], others: readonly Address[]): Address[] {
  return tokens.filter((token) => !others.some((other) => isAddressEqual(token, other)))
}
