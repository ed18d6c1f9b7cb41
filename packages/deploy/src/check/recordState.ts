import { type Address, type Hex, hexToNumber, numberToHex } from 'viem'
import type { Rpc } from '../rpc.js'
import { type Bench, type Override, trial } from './Bench.js'
import { askEach } from './readChain.js'
import type { Ask } from './TrialCalls.js'

/** The maximum of a transaction since Osaka (EIP-7825), which every node runs. */
const gas = numberToHex(2n ** 24n)

/** What calls read, so that they can be repeated without a node of the chain. */
export type Recorded<result> = {
  readonly result: result
  readonly chainId: number
  readonly blockNumber: number
  /** Of the block, in unix seconds. */
  readonly timestamp: number
  /** Code, balances and storage, as a state override. */
  readonly state: Override
}

/**
 * Makes calls of the Trial's address, and reads all state that they touch.
 *
 * @param options.funds State that the calls get in addition, and that the record contains. @default none
 * @param options.run Makes the calls.
 * @returns `undefined` if the node does not tell what a call touches.
 */
export async function recordState<result>(
  rpc: Rpc,
  {
    bench,
    block,
    funds = {},
    run,
  }: { bench: Bench; block: Hex; funds?: Override; run: (ask: Ask) => Promise<result> },
): Promise<Recorded<result> | undefined> {
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
  const result = await run(ask)
  // A node that ignores overrides traces a call without the contracts.
  if (!isTold || !touched.has(lower(bench.contracts.hub))) return undefined
  for (const address of broughtBy(bench)) touched.delete(address as Address)
  const [chainId, header] = await rpc.batch<Hex | { timestamp: Hex }>([
    ['eth_chainId', []],
    ['eth_getBlockByNumber', [block, false]],
  ])
  return {
    result,
    chainId: hexToNumber(chainId as Hex),
    blockNumber: hexToNumber(block),
    timestamp: hexToNumber((header as { timestamp: Hex }).timestamp),
    state: withFunds(await readState(rpc, touched, block), funds),
  }
}

/** Makes calls on a node that has no state of its own at the recorded addresses. */
export function askWith(rpc: Rpc, state: Override): Ask {
  return async (data, override) =>
    await rpc.request<Hex>('eth_call', [
      { to: trial, data, gas },
      'latest',
      { ...state, ...override },
    ])
}

/** Addresses that a call brings along. */
function broughtBy({ override }: Bench): ReadonlySet<string> {
  return new Set(Object.keys(override).map((address) => address.toLowerCase()))
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
