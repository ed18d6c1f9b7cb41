import { Solvency } from '@sluice/domain'
import { toHex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { blockHash, type FakeNode, startFakeNode } from '../../test/fakeNode.js'
import { engineOn } from '../../test/harness.js'
import { encodeReport, short, sound, stakingAnswers, target } from '../../test/staking.js'

const stops: (() => void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start(changes: readonly Partial<FakeNode>[] = [{}]) {
  const nodes = await Promise.all(
    changes.map((each) => startFakeNode({ answers: stakingAnswers(sound), ...each })),
  )
  const engine = engineOn(nodes, { maxBlockAge: 60_000, now: () => Date.now() })
  stops.push(engine.stop, ...nodes.map(({ close }) => close))
  return { engine, nodes: nodes as [FakeNode, ...FakeNode[]] }
}

describe('engine.solvency', () => {
  test('default: reads everything at the head, and keeps the raw answers', async () => {
    const { engine, nodes } = await start()
    const { history, state } = await engine.solvency(target)
    expect(state).toEqual({
      kind: 'read',
      reading: {
        block: { number: 100n, hash: blockHash(100), timestamp: BigInt(nodes[0].genesis + 200) },
        readAt: expect.any(Number),
        report: sound,
        raw: {
          solvency: encodeReport(sound),
          isSolvent: `0x${'0'.repeat(63)}1`,
          balance: toHex(sound.backing, { size: 32 }),
        },
        ledger: [
          { token: target.tokens[0], amounts: { held: 101n, t1: 70n, t2: 30n } },
          { token: target.tokens[1], amounts: { held: 103n, t1: 70n, t2: 30n } },
        ],
      },
    })
    expect(history).toEqual([state.kind === 'read' && state.reading])
  })

  test('behavior: reports an insolvent contract', async () => {
    const { engine } = await start([{ answers: stakingAnswers(short) }])
    const { state } = await engine.solvency(target)
    expect(Solvency.statusOf(state)).toBe('insolvent')
  })

  /** Calls of `balanceOf`, which the fake node does not count. */
  const balances = 3

  test('behavior: many callers cause one read', async () => {
    const { engine, nodes } = await start([{ delayMs: 50 }])
    const answers = await Promise.all(Array.from({ length: 500 }, () => engine.solvency(target)))
    await engine.solvency(target)
    expect(new Set(answers).size).toBe(1)
    expect(nodes[0].calls.get('eth_call')).toBe(Solvency.callsOf(target).length - balances)
  })

  test('behavior: asks no node if no contract is deployed', async () => {
    const { engine, nodes } = await start()
    const zero = `0x${'0'.repeat(40)}` as const
    const { state } = await engine.solvency({ ...target, staking: zero })
    expect([state, nodes[0].requests]).toEqual([{ kind: 'not_deployed' }, 0])
  })

  test('behavior: ignores a node on another branch if two others agree', async () => {
    const forked = stakingAnswers(short)
    const { engine } = await start([{ answers: forked, salt: 'fork' }, {}, {}])
    const { state } = await engine.solvency(target)
    expect(Solvency.statusOf(state)).toBe('solvent')
  })

  test.each<[string, Partial<FakeNode>, string]>([
    ['a node that answers with an error of its own', { fault: { status: 500 } }, 'rpc_unreachable'],
    ['a node that says nothing in time', { fault: 'hang' }, 'rpc_unreachable'],
    ['an address without code', { fault: 'empty' }, 'bad_result'],
    ['a node of another chain', { chainId: 1n }, 'rpc_unreachable'],
    ['a node that is far behind', { genesis: 1_000 }, 'rpc_stale'],
    ['a revert', { fault: { error: { code: 3, message: 'execution reverted' } } }, 'bad_result'],
  ])('error: %s is unreadable, never a zero', async (_, changes, code) => {
    const { engine } = await start([changes])
    const { state } = await engine.solvency(target)
    expect(state).toMatchObject({ kind: 'unreadable', code, last: undefined })
    expect(Solvency.statusOf(state)).toBe('unknown')
  })

  test('error: a chain without a node', async () => {
    const { engine } = await start()
    const { state } = await engine.solvency({ ...target, chainId: 5 })
    expect(state).toMatchObject({ kind: 'unreadable', code: 'not_served' })
  })
})
