import { type Plan, PoolHints } from '@sluice/domain'
import { describe, expect, test } from 'vitest'
import { proposePools } from './proposePools.js'

type Pools = readonly PoolHints.PoolHint[]

const [a, b, c, lying] = ['a', 'b', 'c', 'd'].map((digit) =>
  PoolHints.fromWord(digit.repeat(40).padStart(64, '0')),
) as [PoolHints.PoolHint, PoolHints.PoolHint, PoolHints.PoolHint, PoolHints.PoolHint]

/** A route over those of the pools that add something to an output of 1,000. */
function planOver(pools: Pools, gains: ReadonlyMap<string, bigint>): Plan.Plan {
  const used = pools.filter((pool) => (gains.get(pool) ?? 0n) > 0n)
  const netOut = used.reduce((sum, pool) => sum + gains.get(pool)!, 1_000n)
  const legs = used.map((pool) => ({ key: (BigInt(pool) << 8n) | 1n }))
  return { netOut, route: { legs } } as unknown as Plan.Plan
}

function propose(packs: readonly Pools[], gains: readonly (readonly [string, bigint])[]) {
  const tried: Pools[] = []
  const tryPools = async (pools: Pools) => {
    tried.push(pools)
    return planOver(pools, new Map(gains))
  }
  return { tried, proposed: proposePools(packs, tryPools, ({ netOut }) => netOut) }
}

describe('proposePools', () => {
  test('default: keeps the pools that the best route uses', async () => {
    expect(await propose([[a, b, c]], [[b, 5n]]).proposed).toEqual([b])
  })

  test('behavior: joins the useful pools of several packs', async () => {
    const { proposed, tried } = propose(
      [
        [a, b],
        [c, lying],
      ],
      [
        [a, 5n],
        [c, 7n],
      ],
    )
    expect(await proposed).toEqual([c, a])
    expect(tried.at(-1)).toEqual([c, a])
  })

  test('behavior: keeps the best pack if all together are not better', async () => {
    const gains = new Map([
      [a, 5n],
      [c, 7n],
    ])
    const tryPools = async (pools: Pools) =>
      planOver(pools.length > 1 ? pools.slice(1) : pools, gains)
    const proposed = await proposePools([[a], [c]], tryPools, ({ netOut }) => netOut)
    expect(proposed).toEqual([c])
  })

  test('behavior: no pools if they add nothing, or if there is no route', async () => {
    expect(await propose([[a, b]], []).proposed).toEqual([])
    const none = await proposePools(
      [[a]],
      async () => undefined,
      () => 1n,
    )
    expect(none).toEqual([])
  })

  test('behavior: asks nothing without candidates', async () => {
    const { proposed, tried } = propose([], [])
    expect([await proposed, tried]).toEqual([[], []])
  })
})
