import { hubAbi, lensAbi } from '@sluice/abi'
import { VenueKind } from '@sluice/domain'
import { createUpstream, type RpcCall } from '@sluice/rpc'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  pad,
  zeroHash,
} from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TextServer } from '../../../rpc/test/startTextServer.js'
import { createFakeLogChain, type FakeLog, type FakeLogChain } from '../../test/fakeLogChain.js'
import { registry } from '../../test/harness.js'
import { startLogNode } from '../../test/startLogNode.js'
import { type ChainState, createChainState } from '../ChainState.js'
import { createHints, type Hints } from './createHints.js'
import { openPoolStore, type PoolStore } from './PoolStore.js'
import { poolTopics } from './poolEvents.js'

const chain = registry.get(31_337)!
const { chainId } = chain
const firstFactory: Address = '0x00000000000000000000000000000000000000f2'
const addedFactory: Address = '0x00000000000000000000000000000000000000f9'

let logs: FakeLogChain
let node: TextServer
let state: ChainState
let store: PoolStore
let hints: Hints
/** Factories of the Hub's venues. */
let factories: readonly Address[]

beforeEach(async () => {
  factories = [firstFactory]
  logs = createFakeLogChain({ chainId })
  node = await startLogNode({ ...logs, answer: (call) => resultOf(call) ?? logs.answer(call) })
  state = createChainState({
    chain,
    upstreams: [createUpstream({ url: node.url, label: `${chainId}#1` })],
    maxBlockAgeMs: undefined,
    headFreshMs: 1_000,
    maxFlights: 32,
    shared: undefined,
  })
  store = openPoolStore(':memory:')
  const options = { store, gasCostOf: () => undefined, now: Date.now, followEveryMs: 20 }
  hints = createHints(state, options)
})

afterEach(async () => {
  hints.stop()
  for (const { agent } of state.upstreams) agent.destroy()
  await node.close()
})

test('behavior: follows venues that the Hub gets while the service runs, from their first pool on', async () => {
  logs.mine([created(1, firstFactory), created(2, addedFactory)])
  hints.start()
  await expect.poll(() => hints.poolsIndexed()).toBeDefined()
  expect(store.countByFactory(chainId)).toEqual(new Map([[firstFactory, 1]]))

  factories = [firstFactory, addedFactory]
  logs.mine([created(3, addedFactory)])
  await expect.poll(() => store.countByFactory(chainId).get(addedFactory)).toBe(2)
})

/** Announces a pool in Uniswap V2's way. */
function created(number: number, factory: Address): FakeLog {
  const [token0, token1, pool] = [100, 200, 300].map((base) => pad(`0x${base + number}`))
  return {
    address: factory,
    topics: [poolTopics[0]!, token0!, token1!],
    data: `${pool!}${pad('0x01').slice(2)}`,
  }
}

/** The Hub's settings, and reads that all fail. */
function resultOf({ method, params }: RpcCall): { ok: true; result: Hex } | undefined {
  if (method !== 'eth_call') return undefined
  const { data, to } = params[0] as { data: Hex; to: Address }
  if (to.toLowerCase() !== chain.contracts.hub.toLowerCase())
    return { ok: true, result: lens(data) }
  const { functionName } = decodeFunctionData({ abi: hubAbi, data })
  const result = functionName === 'venues' ? factories.map(venueOf) : []
  return { ok: true, result: encodeFunctionResult({ abi: hubAbi, functionName, result } as never) }
}

function lens(data: Hex): Hex {
  const { args } = decodeFunctionData({ abi: lensAbi, data })
  const failed = { ok: false, size: 0n, words: [zeroHash, zeroHash, zeroHash] } as const
  const witness = { chainId: 0n, blockNumber: 0n, timestamp: 0n, parentHash: zeroHash }
  const answers = (args[0] as readonly object[]).map(() => failed)
  return encodeFunctionResult({ abi: lensAbi, functionName: 'read', result: [witness, answers] })
}

function venueOf(factory: Address) {
  const venue = {
    kind: VenueKind.numberOf('uniswapV2'),
    deployer: factory,
    initCodeHash: zeroHash,
    enabled: true,
    feePips: 3_000,
    callback: '0x00000000' as const,
    unlockedWord: 0,
  }
  return { id: zeroHash, factory, venue, tiers: [] }
}
