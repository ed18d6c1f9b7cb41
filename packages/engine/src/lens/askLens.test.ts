import { lensAbi } from '@sluice/abi'
import { createUpstream, Standing } from '@sluice/rpc'
import { encodeFunctionResult, type Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockHash, type FakeNode, startFakeNode } from '../../test/fakeNode.js'
import { registry } from '../../test/harness.js'
import {
  type ChainState,
  createChainState,
  doubtHead,
  hasFreshHead,
  noteHead,
} from '../ChainState.js'
import { probeChain } from '../heads/probeChain.js'
import { askLens } from './askLens.js'
import { lensCall } from './lensCall.js'

const token = '0x00000000000000000000000000000000000000c0'
const asks = [{ to: token, data: '0x313ce567' }] as const
const call = `${lensCall(asks).to} ${lensCall(asks).data}`.toLowerCase()
const words = [`0x${'12'.padStart(64, '0')}`, `0x${'0'.repeat(64)}`, `0x${'0'.repeat(64)}`] as [
  Hex,
  Hex,
  Hex,
]

let nodes: FakeNode[]
let state: ChainState

beforeEach(async () => {
  nodes = await Promise.all([1, 2, 3].map(() => startFakeNode()))
  state = createChainState({
    chain: registry.get(31_337)!,
    upstreams: nodes.map(({ url }, index) => createUpstream({ url, label: `31337#${index + 1}` })),
    maxBlockAgeMs: undefined,
    headFreshMs: 60_000,
    maxFlights: 32,
    shared: undefined,
  })
})

afterEach(async () => {
  for (const { agent } of state.upstreams) agent.destroy()
  await Promise.all(nodes.map((node) => node.close()))
})

/** Return data of the Lens at a node's latest block. */
function reading({ chainId, genesis, head, salt }: FakeNode): Hex {
  const witness = {
    chainId,
    blockNumber: BigInt(head),
    timestamp: BigInt(genesis + 2 * head),
    parentHash: blockHash(head - 1, salt),
  }
  const answers = [{ ok: true, size: 32n, words }]
  return encodeFunctionResult({ abi: lensAbi, functionName: 'read', result: [witness, answers] })
}

const ask = () => askLens(state, asks, { now: Date.now })

describe('askLens', () => {
  test.each([
    ['a revert', { code: 3, message: 'execution reverted' }],
    ['out of gas', { code: -32_000, message: 'out of gas' }],
    ['an empty result', '0x' as Hex],
    ['malformed return data', `0x${'11'.repeat(64)}` as Hex],
  ])('behavior: after %s on one node, another one is asked', async (_, answer) => {
    for (const node of nodes) node.answers[call] = reading(node)
    nodes[0]!.answers[call] = answer
    expect((await ask()).answers).toEqual([{ ok: true, size: 32n, words }])
    expect(nodes[1]!.calls.get('eth_call')).toBe(1)
  })

  test('error: no node returns a valid answer of the Lens', async () => {
    await expect(ask()).rejects.toMatchObject({ code: 'rpc_unreachable' })
  })

  test('behavior: a dropped block is not the fault of a node', async () => {
    for (const node of nodes) node.answers[call] = reading(node)
    await ask()
    for (const node of nodes) {
      node.salt = 'other'
      node.answers[call] = reading(node)
    }
    const { block } = await ask()
    expect(block.hash).toBe(blockHash(100, 'other'))
    for (const { standing } of state.upstreams) expect(standing.recent).not.toContain(true)
    expect(state.upstreams.some(({ standing }) => Standing.isDemoted(standing))).toBe(false)
  })

  test('behavior: earlier confirmations do not restore a block that a node lacks', async () => {
    for (const node of nodes) node.answers[call] = reading(node)
    const { block } = await ask()
    const before = performance.now()
    doubtHead(state, block)
    // Answers to earlier requests that arrive now.
    for (const upstream of state.upstreams) noteHead(state, upstream, block, before)
    expect(hasFreshHead(state)).toBe(false)
    for (const upstream of state.upstreams) noteHead(state, upstream, block, performance.now())
    expect([hasFreshHead(state), state.head]).toEqual([true, block])
  })
})

describe('probeChain', () => {
  test('behavior: a node that answers everything wrongly keeps its capabilities', async () => {
    for (const node of nodes) node.fault = 'empty'
    await probeChain(state, { now: Date.now })
    for (const { can } of state.upstreams)
      expect(can).toMatchObject({ takesBlockHash: true, takesOverrides: undefined })
    for (const node of nodes) node.fault = undefined
    await probeChain(state, { now: Date.now })
    for (const { can } of state.upstreams)
      expect(can).toMatchObject({ takesBlockHash: true, takesOverrides: true, hasCancun: true })
  })
})
