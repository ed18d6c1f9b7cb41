import { afterEach, describe, expect, test } from 'vitest'
import {
  type Call,
  type FakeNode,
  planOf,
  type RpcFault,
  startFakeNode,
} from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import type { Engine, EngineConfig, FailureReport } from '../index.js'

let nodes: FakeNode[] = []
let engine: Engine
let reports: FailureReport[]

afterEach(async () => {
  await engine.stop()
  await Promise.all(nodes.map((node) => node.close()))
})

async function start(count: number, refuse: FakeNode['refuse'], changes?: Partial<EngineConfig>) {
  nodes = await Promise.all(Array.from({ length: count }, () => startFakeNode({ refuse })))
  reports = []
  engine = engineOn(nodes, { onFailure: (report) => reports.push(report), ...changes })
}

const patience = { timeout: 30_000, interval: 20 }
const calls = () => nodes.map((node) => node.calls.get('eth_call') ?? 0)
const gasOf = ({ params: [{ gas }] }: Call) => Number(gas)
const common = 2 ** 24

describe('a node with a gas cap', () => {
  const refusals: [string, number, RpcFault][] = [
    [
      'EDR',
      common,
      {
        code: -32_000,
        message: 'transaction gas limit (30000000) is greater than the cap (16777216)',
      },
    ],
    ['its own cap', 12_000_000, { code: -32_000, message: 'gas limit exceeds maximum 12,000,000' }],
    ['reth', common, { code: -32_000, message: 'intrinsic gas too high' }],
    ['Nethermind', common, { code: -32_000, message: 'Block gas limit exceeded' }],
  ]

  test.each(refusals)(
    'behavior: %s: calls respect the cap, and no failure is reported',
    async (_, cap, refusal) => {
      const asked: number[] = []
      await start(1, (call) => {
        asked.push(gasOf(call))
        return gasOf(call) > cap ? refusal : undefined
      })
      for (const amountIn of [1_000_000n, 2_000_000n]) {
        expect(await engine.quote(requestOf({ amountIn }))).toMatchObject({ rpcTried: 1 })
        expect(await engine.quote(requestOf({ amountIn, isExact: true }))).toBeDefined()
      }
      // The refused request and those of four quotes.
      expect(asked.filter((gas) => gas >= cap)).toEqual([50_000_000, cap, cap, cap, cap])
      expect(reports).toEqual([])
    },
  )

  test('behavior: a cached quote tells the gas of its call too', async () => {
    await start(1, (call) =>
      gasOf(call) > common ? { code: -32_000, message: 'gas limit exceeds maximum' } : undefined,
    )
    for (const cache of ['miss', 'hit'])
      expect(await engine.quote(requestOf())).toMatchObject({ cache, gas: BigInt(common) })
  })

  test('behavior: concurrent calls are repeated too, after one of them has learned it', async () => {
    await start(1, (call) =>
      gasOf(call) > common ? { code: -32_000, message: 'gas limit exceeds maximum' } : undefined,
    )
    const crowd = Array.from({ length: 8 }, (_, index) =>
      engine.quote(requestOf({ amountIn: BigInt(index + 1), isExact: index % 2 === 0 })),
    )
    expect(await Promise.all(crowd)).toHaveLength(8)
    expect(reports).toEqual([])
  })

  test('behavior: a probe finds the cap before any quote, whatever the error message', async () => {
    const isCapped = (call: Call) => gasOf(call) > common
    await start(1, (call) =>
      isCapped(call) ? { code: -32_603, message: 'Module(ModuleError { index: 51 })' } : undefined,
    )
    engine.startProbing()
    await expect.poll(() => nodes[0]!.requests, patience).toBeGreaterThanOrEqual(4)
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 1 })
    expect(calls()).toEqual([1])
    expect(reports).toEqual([])
  })
})

describe('a node that does not support block hashes', () => {
  const isByHash = ({ params: [, tag] }: Call) => typeof tag === 'object'
  const refusals: RpcFault[] = [
    { code: -32_602, message: 'invalid argument 1: hex string without 0x prefix' },
    { code: -32_602, message: 'Invalid params' },
    { code: -32_602, message: 'Invalid block hash: 24d0ff at line 2 column 91' },
    { code: -32_000, message: 'EVMEmulator cannot access blocks other than the latest block' },
    { code: -32_000, message: 'historical state is not available on your plan' },
    { code: -32_000, message: 'header not found' },
    { code: -32_603, message: 'Internal error' },
    { code: 4_000, message: 'Nope.' },
  ]

  test.each(refusals)(
    'behavior: two nodes that refuse with %j quote like all others',
    async (refusal) => {
      await start(2, (call) => (isByHash(call) ? refusal : undefined))
      for (const amountIn of [1n, 2n, 3n, 4n])
        expect(await engine.quote(requestOf({ amountIn }))).toMatchObject({ rpcTried: 1 })
      // One of them was asked again after its first refusal.
      expect(calls()[0]! + calls()[1]!).toBeLessThanOrEqual(4 + 2)
      expect(reports).toEqual([])
    },
  )

  test('behavior: concurrent calls are repeated too, after one of them has learned it', async () => {
    await start(2, (call) => (isByHash(call) ? refusals[0] : undefined))
    expect(await engine.isReady()).toBe(true)
    const crowd = Array.from({ length: 8 }, (_, index) =>
      engine.quote(requestOf({ amountIn: BigInt(index + 1) })),
    )
    for (const answer of await Promise.all(crowd)) expect(answer).toMatchObject({ rpcTried: 1 })
    expect(reports).toEqual([])
  })

  test('behavior: a node that fails for another reason is still asked by hash', async () => {
    let isDown = true
    const tags: unknown[] = []
    await start(2, (call) => {
      tags.push(call.params[1])
      return isDown ? { code: -32_603, message: 'Internal error' } : undefined
    })
    // Makes the block known before.
    expect(await engine.isReady()).toBe(true)
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
    isDown = false
    tags.length = 0
    expect(await engine.quote(requestOf({ amountIn: 2n }))).toBeDefined()
    expect(tags.map((tag) => typeof tag)).toEqual(['object'])
  })
})

describe('a node without state overrides', () => {
  test('behavior: a dry run works without the overridden input', async () => {
    const refusal = { code: -32_602, message: 'Expected between 1 and 2 arguments and got 3' }
    await start(1, ({ params }) => (params.length > 2 ? refusal : undefined))
    const request = requestOf({ isExact: true })
    expect(await engine.quote(request)).toMatchObject({ quote: { canExecute: true } })
    const before = nodes[0]!.requests
    await engine.quote(request)
    expect(nodes[0]!.requests - before).toBe(1)
  })
})

describe('a chain before Cancun', () => {
  const halt = { code: -32_000, message: 'invalid opcode: TLOAD' }
  /** Calls that need none of these opcodes: to an account without code, to overridden code, and to a precompile. */
  const isPlain = ({ params: [{ data }] }: Call) => data === '0x' || data === '0x5c'

  test('error: health and onProblem report it, and a quote fails without no_route', async () => {
    const problems: object[] = []
    const code = ({ params: [, , overrides] }: Call) =>
      Object.values((overrides ?? {}) as Record<string, { code?: string }>)[0]?.code ?? ''
    await start(1, (call) => (isPlain(call) && !code(call).includes('60005c') ? undefined : halt))
    await engine.stop()
    engine = engineOn(nodes, { onProblem: (report) => problems.push(report) })
    engine.startProbing()
    const health = () => engine.health().find(({ chainId }) => chainId === 31_337)
    await expect.poll(health, patience).toMatchObject({ problem: 'no_cancun' })
    // Reported once the whole probe is over.
    const told = [{ chainId: 31_337, problem: 'no_cancun' }]
    await expect.poll(() => problems, patience).toEqual(told)
    await expect(engine.quote(requestOf())).rejects.toMatchObject({
      code: 'rpc_unreachable',
      message:
        'The nodes of Bench lack the opcodes of Cancun, which the contracts need, so quotes are not available there.',
    })
  })

  test('behavior: a probe that fails for another reason does not count', async () => {
    await start(1, ({ params }) =>
      params.length > 2 ? { code: -32_005, message: 'limit exceeded' } : undefined,
    )
    nodes[0]!.plan = (ask) => planOf(ask)
    engine.startProbing()
    await expect.poll(() => nodes[0]!.requests, patience).toBeGreaterThanOrEqual(2)
    expect(engine.health().find(({ chainId }) => chainId === 31_337)?.problem).toBeUndefined()
    expect(await engine.quote(requestOf())).toBeDefined()
  })
})
