import { Overrides } from '@sluice/domain'
import { numberToHex, pad } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { type Call, type FakeNode, planOf, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import { balanceSlots } from '../holdings/balanceSlots.js'
import type { Engine } from '../index.js'

const slot = numberToHex(8, { size: 32 })
const pool = '0x00000000000000000000000000000000000000b0'
/** A state on which the fake node pays three for one, in place of two. */
const overrides = Overrides.parse(JSON.stringify({ [pool]: { stateDiff: { [slot]: slot } } }))
const stated = requestOf({ overrides })

let nodes: FakeNode[]
let engine: Engine

beforeEach(async () => {
  nodes = [await startFakeNode({ plan: paysMore })]
  engine = engineOn(nodes)
})

afterEach(async () => {
  await engine.stop()
  await Promise.all(nodes.map((node) => node.close()))
})

const paysMore: FakeNode['plan'] = (ask) =>
  planOf(ask, { grossOut: ask.amountIn * (isStated(ask.overrides) ? 3n : 2n) })

function isStated(override: unknown): boolean {
  return JSON.stringify(override ?? '')
    .toLowerCase()
    .includes(pool.slice(2))
}

const node = () => nodes[0]!
const quoteCalls = () => node().calls.get('eth_call') ?? 0
const [plainOut, statedOut] = [2_000_000n, 3_000_000n]
const outOf = ({ quote }: Awaited<ReturnType<Engine['quote']>>) => quote.plan.route.grossOut

describe('a state of the caller', () => {
  test('default: is part of the call, in the same request as the proof that it is applied', async () => {
    const answer = await engine.quote(stated)
    expect(outOf(answer)).toBe(statedOut)
    expect(answer).toMatchObject({ cache: 'miss', quote: { canExecute: false } })
    expect(node().requests).toBe(1)
  })

  test('behavior: is never cached, for its caller nor for others', async () => {
    for (const calls of [1, 2]) {
      expect(await engine.quote(stated)).toMatchObject({ cache: 'miss' })
      expect(quoteCalls()).toBe(calls)
    }
    const plain = await engine.quote(requestOf())
    expect([outOf(plain), plain.cache]).toEqual([plainOut, 'miss'])
    expect(outOf(await engine.quote(requestOf()))).toBe(plainOut)
    expect(outOf(await engine.quote(stated))).toBe(statedOut)
  })

  test('behavior: shares no request, neither with the same state nor with none', async () => {
    node().delayMs = 40
    const wanted = [stated, stated, requestOf(), requestOf()]
    const answers = await Promise.all(wanted.map((each) => engine.quote(each)))
    expect(answers.map(outOf)).toEqual([statedOut, statedOut, plainOut, plainOut])
    expect(answers.map(({ cache }) => cache)).toEqual(['miss', 'miss', 'miss', 'coalesced'])
    expect(quoteCalls()).toBe(3)
  })

  test('behavior: in a batch all are on one block, and only the others are cached', async () => {
    const answers = await engine.quoteMany([requestOf(), stated])
    expect(answers.map((each) => each.ok && outOf(each.value))).toEqual([plainOut, statedOut])
    expect(answers.map((each) => each.ok && each.value.block.number)).toEqual([100n, 100n])
    expect(node().requests).toBe(1)
    expect(await engine.quote(requestOf())).toMatchObject({ cache: 'hit' })
    expect(await engine.quote(stated)).toMatchObject({ cache: 'miss' })
  })

  test('behavior: is merged with the input of a dry run', async () => {
    const [place] = balanceSlots(stated.chain.contracts.quoter)
    const seen: unknown[] = []
    node().plan = (ask) => {
      seen.push(ask.overrides)
      return planOf(ask)
    }
    node().refuse = readsSlot(place!)
    const own = Overrides.parse(
      JSON.stringify({ ...overrides, [tokens.weth]: { stateDiff: { [slot]: slot } } }),
    )
    const answer = await engine.quote(requestOf({ overrides: own, isExact: true }))
    const funds = { [place!]: numberToHex(1_000_000n, { size: 32 }) }
    expect(answer.override).toEqual({ [tokens.weth]: { stateDiff: funds } })
    expect(seen).toEqual([
      { ...own, [tokens.weth]: { stateDiff: { ...own[tokens.weth]!.stateDiff, ...funds } } },
    ])
  })
})

/** A token that keeps balances in this slot: answers reads of it with the number that the call brings along. */
function readsSlot(place: string): FakeNode['refuse'] {
  return ({ params: [call, , override] }: Call) => {
    if (!call.data.startsWith('0x70a08231')) return undefined
    const words = (override as Record<string, { stateDiff: Record<string, string> }>)[tokens.weth]
    // The fake node passes strings on as results.
    return (words?.stateDiff[place] ?? pad('0x')) as never
  }
}

describe('a node that does not quote on it', () => {
  const refused = {
    code: 'rpc_unreachable',
    message: expect.stringContaining('quotes on the state in `overrides`'),
  }
  const rejects =
    (message: string): FakeNode['refuse'] =>
    ({ params: [, , override] }) =>
      isStated(override) ? { code: -32_602, message } : undefined

  test('error: the node rejects it; nothing is held against the node', async () => {
    node().refuse = rejects('invalid argument 2: state override too large')
    for (let count = 0; count < 12; count++)
      await expect(engine.quote(stated)).rejects.toMatchObject(refused)
    expect(engine.nodes()).toMatchObject([{ isDemoted: false }])
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 1 })
    node().refuse = () => undefined
    expect(outOf(await engine.quote(stated))).toBe(statedOut)
  })

  test('error: a plan whose numbers are wrong; nothing is held against the node', async () => {
    node().plan = (ask) => planOf(ask, isStated(ask.overrides) ? { netOut: 1n } : {})
    for (let count = 0; count < 12; count++)
      await expect(engine.quote(stated)).rejects.toMatchObject(refused)
    expect(engine.nodes()).toMatchObject([{ isDemoted: false }])
  })

  test('error: the node ignores overrides, and would quote on the state of the chain', async () => {
    node().refuse = ({ params: [{ data }] }) => (data === '0x' ? ('0x' as never) : undefined)
    node().plan = (ask) => planOf(ask)
    await expect(engine.quote(stated)).rejects.toMatchObject(refused)
    const [plain, other] = await engine.quoteMany([requestOf({ amountIn: 5n }), stated])
    expect(plain).toMatchObject({ ok: true })
    expect(other).toMatchObject({ ok: false, error: refused })
  })

  test('behavior: asks the next node', async () => {
    nodes.push(await startFakeNode({ plan: paysMore }))
    node().refuse = ({ params }) =>
      params.length > 2
        ? { code: -32_602, message: 'too many arguments, want at most 2' }
        : undefined
    await engine.stop()
    engine = engineOn(nodes)
    const answer = await engine.quote(stated)
    expect([outOf(answer), answer.rpcTried]).toEqual([statedOut, 2])
  })
})
