import { beforeEach, describe, expect, test } from 'vitest'
import { createMarket } from './createMarket.js'
import type { MarketPair } from './MarketPair.js'
import { MarketDataError, type MarketFailure, type MarketSource } from './MarketSource.js'

const token = '0x940181a94A35A4569E4529A3CDfB74e38FD98631'
const other = '0x4200000000000000000000000000000000000006'

let now = 0
beforeEach(() => {
  now = 0
})

const somePairs = [{ pair: '0x1' } as unknown as MarketPair]

function sourceOf(
  name: string,
  fails: () => MarketFailure | undefined = () => undefined,
  pairs = somePairs,
) {
  let calls = 0
  const answer = async (): Promise<readonly MarketPair[]> => {
    calls++
    await Promise.resolve()
    const failure = fails()
    if (failure !== undefined) throw new MarketDataError(failure)
    return pairs
  }
  const source: MarketSource = { name, pairsOf: answer, search: answer }
  return { source, calls: () => calls }
}

const reports: unknown[] = []
const open = (...sources: { source: MarketSource }[]) =>
  createMarket(
    sources.map(({ source }) => source),
    { now: () => now, onFailure: (report) => reports.push(report) },
  )

describe('createMarket', () => {
  test('default: the first source that answers', async () => {
    const [first, second] = [sourceOf('a', () => 'status'), sourceOf('b')]
    const market = open(first, second)
    expect(await market.pairsOf(8_453, token)).toEqual({ source: 'b', pairs: somePairs })
    expect([first.calls(), second.calls()]).toEqual([1, 1])
  })

  test('behavior: identical lookups share a report for 30 seconds', async () => {
    const source = sourceOf('a')
    const market = open(source)
    const lower = token.toLowerCase() as typeof token
    await Promise.all([market.pairsOf(1, token), market.pairsOf(1, lower)])
    expect(source.calls()).toBe(1)
    now = 29_999
    await market.pairsOf(1, token)
    expect(source.calls()).toBe(1)
    now = 30_000
    await market.pairsOf(1, token)
    await market.pairsOf(10, token)
    await market.pairsOf(1, other)
    await market.search(1, 'AERO')
    await market.search(1, 'aero')
    expect(source.calls()).toBe(5)
  })

  test('behavior: if a source reports no pools, the next one is asked', async () => {
    const none = sourceOf('a', undefined, [])
    expect(await open(none, sourceOf('b')).search(1, 'AERO')).toEqual({
      source: 'b',
      pairs: somePairs,
    })
    const down = sourceOf('b', () => 'status')
    expect(await open(none, down).search(1, 'AERO')).toEqual({ source: 'a', pairs: [] })
  })

  test('error: too many concurrent lookups', async () => {
    const market = open(sourceOf('a'))
    const asked = Array.from({ length: 33 }, (_, index) => market.search(1, `A${index}`))
    const settled = await Promise.allSettled(asked)
    expect(settled.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { failure: 'busy' } },
    ])
  })

  test('behavior: a source that keeps failing is paused and asked again later', async () => {
    let failure: MarketFailure | undefined = 'timeout'
    const [first, second] = [sourceOf('a', () => failure), sourceOf('b')]
    const market = open(first, second)
    const tokens = Array.from({ length: 10 }, (_, index) => `0x${index}` as const)
    for (const each of tokens) await market.pairsOf(1, each)
    expect(first.calls()).toBe(3)
    expect(reports.slice(-3)).toEqual(Array(3).fill({ source: 'a', failure: 'timeout' }))
    failure = undefined
    now = 10_000
    expect(await market.pairsOf(1, token)).toMatchObject({ source: 'a' })
  })

  test('behavior: an unsupported chain is not the fault of a source', async () => {
    const first = sourceOf('a', () => 'unsupported')
    const market = open(first, sourceOf('b'))
    for (let index = 0; index < 5; index++) await market.pairsOf(1, `0x${index}`)
    expect(first.calls()).toBe(5)
  })

  test('error: no source answers, and the failure is not cached', async () => {
    const first = sourceOf('a', () => 'status')
    const market = open(first)
    for (let index = 0; index < 2; index++)
      await expect(market.pairsOf(1, token)).rejects.toBeInstanceOf(MarketDataError)
    expect(first.calls()).toBe(2)
    await expect(open().search(1, 'AERO')).rejects.toMatchObject({
      failure: 'none',
      message: 'This service has no market data source, so it cannot report pools.',
    })
  })

  test('error: a retry is advised if any source that covers the chain has failed', async () => {
    const none = sourceOf('a', () => 'unsupported')
    const down = sourceOf('b', () => 'timeout')
    for (const sources of [
      [none, down],
      [down, none],
    ])
      await expect(open(...sources).pairsOf(1, token)).rejects.toMatchObject({
        failure: 'timeout',
        isLasting: false,
      })
    await expect(open(none, none).pairsOf(1, token)).rejects.toMatchObject({ isLasting: true })
  })

  test('error: an internal error is not blamed on a source', async () => {
    const broken: MarketSource = {
      name: 'a',
      pairsOf: async () => {
        throw new TypeError('x')
      },
      search: async () => [],
    }
    await expect(open({ source: broken }).pairsOf(1, token)).rejects.toBeInstanceOf(TypeError)
  })
})
