import type { Devnet, NodeKind } from '@sluice/devnet'
import { callBatch, createUpstream, type Failure, type Hex } from '@sluice/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeKind, startDevnet } from './lib/startDevnet.js'

const at: Hex = '0x00000000000000000000000000000000000c0de5'
const unknownHash: Hex = `0x${'ab'.repeat(32)}`
/** Code that returns the gas that is left. */
const returnGas: Hex = '0x5a5f5260205ff3'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453], isDeployed: false })
})
afterAll(async () => {
  await devnet?.stop()
})

async function ask(method: string, params: readonly unknown[]) {
  const upstream = createUpstream({ url: devnet.chains[0]!.rpcUrl, label: 'node' })
  const [outcome] = await callBatch(upstream, [{ method, params }], { timeoutMs: 20_000 })
  upstream.agent.destroy()
  return outcome!
}

/** Runs the code in a call. */
function run(code: Hex, gas = 1_000_000, block: unknown = 'latest') {
  return ask('eth_call', [
    { to: at, data: '0x', gas: `0x${gas.toString(16)}` },
    block,
    { [at]: { code } },
  ])
}

describe('what the node rejects', () => {
  test.each<[string, () => ReturnType<typeof ask>, Failure]>([
    ['code that reverts', () => run('0x5f5ffd'), 'revert'],
    ['the invalid opcode', () => run('0xfe'), 'halt'],
    ['an unknown opcode', () => run('0x0c'), 'halt'],
    ['a jump to nowhere', () => run('0x5f56'), 'halt'],
    ['an empty stack', () => run('0x01'), 'halt'],
    ['an endless loop', () => run('0x5b5f56'), 'halt'],
    ['memory without end', () => run('0x6001640fffffffff52'), 'halt'],
    ['an unknown block hash', () => run(returnGas, 1e6, { blockHash: unknownHash }), 'not_ready'],
    ['a block to come', () => run(returnGas, 1e6, '0xffffff'), 'not_ready'],
    ['an unknown method', () => ask('eth_fooBar', []), 'unsupported'],
    ['a call without arguments', () => ask('eth_call', []), 'unsupported'],
  ])('default: %s', async (_, asked, failure) => {
    expect(await asked()).toMatchObject({ ok: false, failure })
  })
})

describe('what nodes do differently', () => {
  /** The most gas that a call gets if it asks for 60 million: geth grants less without a word. */
  const granted: Readonly<Record<NodeKind, number | Failure>> = {
    anvil: 60_000_000,
    'edr-prague': 60_000_000,
    'edr-osaka': 'gas_cap',
    geth: 50_000_000,
  }

  test('default: the gas of a call', async () => {
    const outcome = await run(returnGas, 60_000_000)
    const most = granted[nodeKind]
    if (typeof most === 'string') return expect(outcome).toMatchObject({ ok: false, failure: most })
    expect(outcome.ok).toBe(true)
    const used = most - Number((outcome as { result: Hex }).result)
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThan(100_000)
  })

  test('default: logs of blocks to come', async () => {
    const filter = { fromBlock: '0x0', toBlock: '0xffffff', address: at }
    expect(await ask('eth_getLogs', [filter])).toEqual(
      nodeKind === 'geth'
        ? expect.objectContaining({ ok: false, failure: 'not_ready' })
        : { ok: true, result: [] },
    )
  })

  test('default: calls by block hash', async () => {
    const latest = await ask('eth_getBlockByNumber', ['latest', false])
    const { hash } = (latest as { result: { hash: Hex } }).result
    expect(await run(returnGas, 1e6, { blockHash: hash })).toMatchObject({ ok: true })
  })
})
