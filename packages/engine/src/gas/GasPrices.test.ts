import { createUpstream } from '@sluice/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeNode, startFakeNode } from '../../test/fakeNode.js'
import { registry } from '../../test/harness.js'
import { type ChainState, createChainState } from '../ChainState.js'
import { createGasPrices } from './GasPrices.js'
import { readGasPrice } from './readGasPrice.js'

function stateOf(urls: readonly string[], chainId = 31_337): ChainState {
  return createChainState({
    chain: registry.get(chainId)!,
    upstreams: urls.map((url, index) => createUpstream({ url, label: `${chainId}#${index + 1}` })),
    maxBlockAgeMs: undefined,
    headFreshMs: 1_000,
    maxFlights: 32,
    shared: undefined,
  })
}

describe('createGasPrices', () => {
  function pricesAt(said: () => bigint | undefined) {
    const clock = { now: 0, reads: 0 }
    const state = stateOf([])
    const prices = createGasPrices(state, {
      now: () => clock.now,
      async read() {
        clock.reads++
        return said()
      },
    })
    return { clock, prices, state }
  }

  test('default: callers within six seconds share one read', async () => {
    const { clock, prices } = pricesAt(() => 7n)
    expect(await Promise.all([prices.current(), prices.current()])).toEqual([7n, 7n])
    clock.now = 5_999
    expect(await prices.current()).toBe(7n)
    expect(clock.reads).toBe(1)
  })

  test('behavior: then the old price is used while a new one is read, for up to a minute', async () => {
    let wei = 7n
    const { clock, prices } = pricesAt(() => wei)
    await prices.current()
    wei = 8n
    clock.now = 20_000
    expect(await prices.current()).toBe(7n)
    expect(await prices.current()).toBe(8n)
    wei = 9n
    clock.now = 90_000
    expect(await prices.current()).toBe(9n)
  })

  test('behavior: the price stays the same within a block, for up to a minute', async () => {
    let wei = 7n
    const { clock, prices, state } = pricesAt(() => wei)
    const head = { number: 1n, parentHash: '0x01', timestamp: 1n } as const
    state.head = { ...head, hash: '0x0a' }
    expect(await prices.current()).toBe(7n)
    wei = 8n
    clock.now = 30_000
    expect(await prices.current()).toBe(7n)
    state.head = { ...head, hash: '0x0b' }
    await prices.current()
    clock.now = 31_000
    state.head = { ...head, hash: '0x0c' }
    expect(await prices.current()).toBe(8n)
  })

  test('behavior: nodes that do not answer are not asked again for five seconds', async () => {
    const { clock, prices } = pricesAt(() => undefined)
    expect(await prices.current()).toBeUndefined()
    expect(await prices.current()).toBeUndefined()
    expect(clock.reads).toBe(1)
    clock.now = 5_000
    await prices.current()
    expect(clock.reads).toBe(2)
  })
})

describe('readGasPrice', () => {
  let nodes: FakeNode[]
  beforeEach(async () => {
    nodes = await Promise.all([startFakeNode(), startFakeNode(), startFakeNode()])
  })
  afterEach(async () => {
    for (const node of nodes) await node.close()
  })

  /** Each node's base fee and tip. */
  const say = (...fees: readonly (readonly [bigint, bigint])[]) => {
    for (const [index, [baseFee, tip]] of fees.entries())
      nodes[index]!.fees = { baseFee, tip, gasPrice: 1n }
  }
  const read = (count: number, chainId?: number) =>
    readGasPrice(
      stateOf(
        nodes.slice(0, count).map(({ url }) => url),
        chainId,
      ),
    )

  test('default: base fee and tip, rounded up to three digits', async () => {
    say([1_234_500n, 500n])
    expect(await read(1)).toBe(1_240_000n)
  })

  test('behavior: the median of three hosts, the lower of two', async () => {
    say([100n, 0n], [900_000n, 0n], [200n, 0n])
    expect(await read(3)).toBe(200n)
    expect(await read(2)).toBe(100n)
  })

  test('behavior: without a base fee, eth_gasPrice of the node', async () => {
    nodes[0]!.fees = { gasPrice: 77n }
    expect(await read(1)).toBe(77n)
  })

  test('behavior: an absurdly high price is ignored', async () => {
    say([10n ** 13n, 1n], [5n, 0n])
    expect(await read(1)).toBeUndefined()
    expect(await read(2)).toBe(5n)
  })

  test('behavior: on a rollup, includes the data fee divided by the gas', async () => {
    say([1_000n, 0n])
    nodes[0]!.dataFee = 400_000n * 50n
    expect(await read(1, 8_453)).toBe(1_050n)
    nodes[0]!.dataFee = undefined
    expect(await read(1, 8_453)).toBe(1_000n)
  })

  test('behavior: on Arbitrum, the data fee is priced as extra gas', async () => {
    say([1_000n, 0n])
    nodes[0]!.dataFee = 4_000n
    expect(await read(1, 42_161)).toBe(1_010n)
  })

  test('error: no node returns a price', async () => {
    nodes[0]!.fault = { status: 503 }
    expect(await read(1)).toBeUndefined()
  })
})
