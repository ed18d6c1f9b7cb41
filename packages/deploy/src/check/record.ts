import { type Address, type Hex, hexToNumber, isAddressEqual, numberToHex } from 'viem'
import { parseChainConfig } from '../parseChainConfig.js'
import type { Rpc } from '../rpc.js'
import { benchOf, type Override, trial } from './Bench.js'
import type { Attempted } from './Comparison.js'
import type { Recording } from './Recording.js'
import { askEach } from './readChain.js'
import { readTokens } from './readTokens.js'
import { attempt, broughtBy } from './replay.js'
import type { Ask } from './TrialCalls.js'

type ConfigFile = {
  readonly venues: readonly { readonly id: string }[]
  readonly pools?: readonly { readonly venue: string; readonly address: Address }[]
}

/** The maximum of a transaction since Osaka (EIP-7825), which every node runs. */
const gas = numberToHex(2n ** 24n)

/**
 * Records a swap: reads all state that finding the pool, swapping and pricing touch.
 *
 * @returns `undefined` if the node does not tell what a call touches.
 */
export async function record(
  rpc: Rpc,
  { block, configFile, swap }: { block: Hex; configFile: unknown; swap: Attempted },
): Promise<Recording | undefined> {
  const narrow = narrowed(configFile as ConfigFile, swap)
  const bench = benchOf(parseChainConfig(narrow))
  const facts = await readTokens(rpc, [swap.tokenIn], block)
  const { slot } = facts.get(swap.tokenIn)!
  const held = numberToHex(2n * swap.amountIn, { size: 32 })
  const funds: Override = slot ? { [swap.tokenIn]: { stateDiff: { [slot]: held } } } : {}
  const touched = new Map<Address, Set<Hex>>()
  let isTold = true
  const ask: Ask = async (data, override) => {
    const call = { to: trial, data, gas }
    const all = { ...override, ...funds }
    const places = await placesOf(rpc, call, { block, override: all })
    if (places === undefined) isTold = false
    for (const [address, slots] of places ?? []) {
      const known = touched.get(address) ?? new Set()
      for (const each of slots) known.add(each)
      touched.set(address, known)
    }
    return await rpc.request<Hex>('eth_call', [call, block, all])
  }
  const { key, ...named } = swap
  const place = { ...named, key: String(key), amountIn: String(swap.amountIn) }
  const { amountOut } = await attempt(ask, bench, place)
  // A node that ignores overrides traces a call without the contracts.
  if (!isTold || !touched.has(lower(bench.contracts.hub))) return undefined
  for (const address of broughtBy(bench)) touched.delete(address as Address)
  const [chainId, header] = await rpc.batch<Hex | { timestamp: Hex }>([
    ['eth_chainId', []],
    ['eth_getBlockByNumber', [block, false]],
  ])
  return {
    schema: 1,
    chainId: hexToNumber(chainId as Hex),
    blockNumber: hexToNumber(block),
    timestamp: hexToNumber((header as { timestamp: Hex }).timestamp),
    configFile: narrow,
    pool: swap.pool,
    key: place.key,
    tokenIn: swap.tokenIn,
    tokenOut: swap.tokenOut,
    amountIn: place.amountIn,
    amountOut: String(amountOut),
    state: withFunds(await readState(rpc, touched, block), funds),
  }
}

/** The config with the venue of the pool alone, so that little else is read. */
function narrowed(file: ConfigFile, { pool, venue }: Attempted): object {
  const venues = file.venues.filter(({ id }) => id === venue)
  const pools = (file.pools ?? []).filter(
    (each) => each.venue === venue && isAddressEqual(each.address, pool),
  )
  return { ...file, connectorTokens: [], venues, pools }
}

type Places = readonly (readonly [Address, readonly Hex[]])[]

/** Accounts and storage slots that a call touches: from its access list or, if the node has none with overrides, a trace. */
async function placesOf(
  rpc: Rpc,
  call: object,
  { block, override }: { block: Hex; override: Override },
): Promise<Places | undefined> {
  const [list] = await askEach<{
    accessList: { address: Address; storageKeys: Hex[] }[]
    error?: string
  }>(rpc, [['eth_createAccessList', [call, block, override]]])
  if (list && !list.error)
    return list.accessList.map(({ address, storageKeys }) => [lower(address), storageKeys])
  const options = { tracer: 'prestateTracer', stateOverrides: override }
  const [trace] = await askEach<Record<Address, { storage?: Record<Hex, Hex> }>>(rpc, [
    ['debug_traceCall', [call, block, options]],
  ])
  if (trace === undefined) return undefined
  return Object.entries(trace).map(([address, { storage = {} }]) => [
    lower(address as Address),
    Object.keys(storage) as Hex[],
  ])
}

async function readState(
  rpc: Rpc,
  touched: ReadonlyMap<Address, ReadonlySet<Hex>>,
  block: Hex,
): Promise<Override> {
  const entries: [Address, NonNullable<Override[Address]>][] = []
  for (const [address, slots] of touched) {
    const [code, balance, ...words] = await rpc.batch<Hex>([
      ['eth_getCode', [address, block]],
      ['eth_getBalance', [address, block]],
      ...[...slots].map((slot) => ['eth_getStorageAt', [address, slot, block]] as const),
    ])
    const stateDiff = Object.fromEntries([...slots].map((slot, index) => [slot, words[index]!]))
    entries.push([address, { code: code!, balance: balance!, stateDiff }])
  }
  return Object.fromEntries(entries)
}

function withFunds(state: Override, funds: Override): Override {
  const all = { ...state }
  for (const [token, { stateDiff }] of Object.entries(funds)) {
    const known = all[lower(token as Address)]
    all[lower(token as Address)] = { ...known, stateDiff: { ...known?.stateDiff, ...stateDiff } }
  }
  return all
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
