import { type Plan, PoolHints } from '@sluice/domain'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { HintSet } from './HintSet.js'
import { proposeBeside } from './proposeBeside.js'

const connector: Address = '0x00000000000000000000000000000000000000c0'
const pool = PoolHints.fromWord('a'.repeat(40).padStart(64, '0'))

type Worths = { plain: bigint; connectors: bigint; pools: bigint; both: bigint }

/** Quotes that are worth this with a connector, a pool, or both. Each route uses the pools that it gets. */
function propose(worths: Worths, connectors = [connector], packs = [[pool]]) {
  const attempt = async (hints: HintSet) => {
    const [some, pools] = [hints.connectors.length > 0, hints.pools.length > 0]
    const netOut = worths[some && pools ? 'both' : some ? 'connectors' : pools ? 'pools' : 'plain']
    const legs = hints.pools.map((each) => ({ key: (BigInt(each) << 8n) | 1n }))
    return { netOut, route: { legs } } as unknown as Plan.Plan
  }
  return proposeBeside(connectors, { attempt, packs, worthOf: ({ netOut }) => netOut })
}

test('default: the pools that help beside the connectors', async () => {
  const hints = await propose({ plain: 1n, connectors: 5n, pools: 4n, both: 9n })
  expect(hints).toEqual({ connectors: [connector], pools: [pool] })
})

test('behavior: pools alone, if the connectors hide what they find', async () => {
  const hints = await propose({ plain: 1n, connectors: 5n, pools: 9n, both: 3n })
  expect(hints).toEqual({ connectors: [], pools: [pool] })
})

test('behavior: connectors alone, if the pools help neither with them nor enough without', async () => {
  const hints = await propose({ plain: 1n, connectors: 5n, pools: 4n, both: 3n })
  expect(hints).toEqual({ connectors: [connector], pools: [] })
})

test('behavior: only one kind is proposed', async () => {
  const worths = { plain: 1n, connectors: 5n, pools: 9n, both: 9n }
  expect(await propose(worths, [])).toEqual({ connectors: [], pools: [pool] })
  expect(await propose(worths, [connector], [])).toEqual({ connectors: [connector], pools: [] })
})
