import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MarketPair } from '../market/MarketPair.js'
import { comparePool, type Held, summarize } from './compareReserves.js'

const row: MarketPair = {
  pair: '0x6cDcb1C4A4D1C3C6d054b27AC5B77e89eAFb971d',
  dex: 'uniswap',
  base: { address: '0x940181a94A35A4569E4529A3CDfB74e38FD98631' },
  quote: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  baseReserve: 1_000,
  quoteReserve: 2_000,
  basePriceUsd: 2,
  quotePriceUsd: 1,
  liquidityUsd: 4_000,
}

/** Balances of whole tokens with 18 and 6 decimals. */
const held = (
  base: number | undefined,
  quote: number | undefined,
): { base: Held; quote: Held } => ({
  base: {
    balance: base === undefined ? undefined : BigInt(Math.round(base * 1e6)) * 10n ** 12n,
    decimals: 18,
    call: undefined,
  },
  quote: {
    balance: quote === undefined ? undefined : BigInt(Math.round(quote * 1e6)),
    decimals: 6,
    call: undefined,
  },
})

describe('comparePool', () => {
  test('default: real reserves', () => {
    expect(comparePool(row, held(1_000, 2_000))).toMatchObject({
      method: 'balanceOf',
      base: { deltaBps: 0, reported: 1_000, balance: 1_000n * 10n ** 18n },
      quote: { deltaBps: 0 },
      reportedUsd: 4_000,
      onchainUsd: 4_000,
      phantomUsd: 0,
      phantomBps: 0,
      verdict: 'real',
    })
  })

  test.each<[string, number, number, number, string]>([
    ['within the tolerance', 995, 1_990, 0, 'real'],
    ['just beyond it', 994, 2_000, 30, 'phantom'],
    ['of one side missing', 0, 2_000, 5_000, 'phantom'],
    ['of both sides missing', 10, 20, 9_900, 'phantom'],
    ['more than reported', 1_500, 2_500, 0, 'real'],
    ['missing on one side and more on the other', 500, 9_000, 2_500, 'phantom'],
    ['none', 0, 0, 10_000, 'phantom'],
  ])('behavior: reserves %s', (_, base, quote, phantomBps, verdict) => {
    expect(comparePool(row, held(base, quote))).toMatchObject({ phantomBps, verdict })
  })

  test('behavior: a USD value beyond the reserves is phantom too', () => {
    const boast = { ...row, liquidityUsd: 40_000 }
    expect(comparePool(boast, held(1_000, 2_000))).toMatchObject({
      phantomUsd: 36_000,
      phantomBps: 9_000,
      verdict: 'phantom',
    })
  })

  test.each<[string, Partial<MarketPair>, { base: Held; quote: Held }]>([
    ['a balance', {}, held(undefined, 2_000)],
    ['a reported reserve', { baseReserve: undefined }, held(1_000, 2_000)],
    [
      'decimals',
      {},
      { ...held(1_000, 2_000), base: { ...held(1_000, 2_000).base, decimals: undefined } },
    ],
    [
      'decimals that can be',
      {},
      { ...held(1_000, 2_000), base: { ...held(1_000, 2_000).base, decimals: 255 } },
    ],
  ])('behavior: unknown without %s', (_, changes, chain) => {
    const pool = comparePool({ ...row, ...changes }, chain)
    expect([pool.phantomBps, pool.phantomUsd, pool.verdict]).toEqual([
      undefined,
      undefined,
      'unknown',
    ])
    expect(pool.base.deltaBps).toBeUndefined()
  })

  test('behavior: missing reserves on one side count even if the other could not be read', () => {
    const pool = comparePool(row, held(undefined, 1))
    expect([pool.phantomBps, pool.verdict]).toEqual([undefined, 'phantom'])
  })

  test('behavior: without prices the larger missing share is the score', () => {
    const bare = {
      ...row,
      basePriceUsd: undefined,
      quotePriceUsd: undefined,
      liquidityUsd: undefined,
    }
    expect(comparePool(bare, held(900, 1_000))).toMatchObject({
      reportedUsd: undefined,
      phantomUsd: undefined,
      phantomBps: 5_000,
      verdict: 'phantom',
    })
  })

  test('behavior: a pool in a shared contract is not compared', () => {
    const singleton = { ...row, pair: `0x${'ab'.repeat(32)}` as const }
    expect(comparePool(singleton, held(0, 0))).toMatchObject({
      method: 'unsupported_singleton',
      phantomBps: undefined,
      verdict: 'unknown',
    })
  })

  test('property: the score is between 0 and 10,000, or undefined', () => {
    const amount = fc.oneof(
      fc.constant(undefined),
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    )
    const side = fc.record({
      balance: fc.oneof(fc.constant(undefined), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
      decimals: fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: 255 })),
      call: fc.constant(undefined),
    })
    const rows = fc.record({
      baseReserve: amount,
      quoteReserve: amount,
      basePriceUsd: amount,
      quotePriceUsd: amount,
      liquidityUsd: amount,
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(rows, side, side), { maxLength: 4 }), (given) => {
        const pools = given.map(([changes, base, quote]) =>
          comparePool({ ...row, ...changes }, { base, quote }),
        )
        for (const { phantomBps } of [...pools, summarize(pools)]) {
          if (phantomBps === undefined) continue
          expect(phantomBps).toBeGreaterThanOrEqual(0)
          expect(phantomBps).toBeLessThanOrEqual(10_000)
        }
      }),
      { numRuns: 2_000, seed: 6 },
    )
  })
})

describe('summarize', () => {
  const real = comparePool(row, held(1_000, 2_000))
  const phantom = comparePool(row, held(0, 0))
  const unread = comparePool(row, held(undefined, undefined))
  const singleton = comparePool({ ...row, pair: `0x${'ab'.repeat(32)}` }, held(0, 0))

  test('default: weights pools by their reported value', () => {
    const large = comparePool(
      { ...row, baseReserve: 1e6, quoteReserve: 2e6, liquidityUsd: 4e6 },
      held(1e6, 2e6),
    )
    expect(summarize([large, phantom, singleton])).toEqual({
      pools: 3,
      compared: 2,
      reportedUsd: 4_004_000,
      onchainUsd: 4_000_000,
      phantomUsd: 4_000,
      phantomBps: 10,
      verdict: 'real',
    })
    expect(summarize([real, phantom])).toMatchObject({ phantomBps: 5_000, verdict: 'phantom' })
  })

  test('behavior: unknown if no pool was compared', () => {
    const unknown = {
      compared: 0,
      reportedUsd: undefined,
      onchainUsd: undefined,
      phantomUsd: undefined,
      phantomBps: undefined,
      verdict: 'unknown',
    }
    expect(summarize([])).toEqual({ pools: 0, ...unknown })
    expect(summarize([singleton, unread])).toEqual({ pools: 2, ...unknown })
  })

  test('behavior: unknown if most of the value could not be read', () => {
    expect(summarize([real, unread])).toMatchObject({ verdict: 'real' })
    expect(summarize([real, unread, unread])).toMatchObject({ phantomBps: 0, verdict: 'unknown' })
    expect(summarize([phantom, unread, unread])).toMatchObject({ verdict: 'phantom' })
  })
})
