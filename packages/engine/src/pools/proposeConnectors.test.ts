import type { Plan } from '@sluice/domain'
import { type Address, concat, numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { candidatesOf } from './candidatesOf.js'
import { openPoolStore } from './PoolStore.js'
import { poolTopics } from './poolEvents.js'
import { proposeConnectors } from './proposeConnectors.js'

const chainId = 1
const noHash = pad('0x00')
const [tokenIn, tokenOut, weth, a, b, c, d, e, f, lonely] = Array.from(
  { length: 10 },
  (_, index): Address => `0x${(index + 1).toString(16).padStart(40, '0')}`,
) as [Address, ...Address[]]

function pairWith(...pools: [Address, Address][]) {
  const store = openPoolStore(':memory:')
  const logs = pools.map(([token0, token1], index) => ({
    address: tokenIn,
    topics: [poolTopics[0]!, pad(token0), pad(token1)],
    data: concat([pad(numberToHex(index + 100)), pad('0x01')]),
    blockNumber: index,
    blockHash: noHash,
    logIndex: 0,
    transactionHash: noHash,
  }))
  // The embedded store has written before it returns.
  store.logs(chainId).append(undefined, { logs, blocks: [{ number: pools.length, hash: noHash }] })
  return { store, chainId, tokenIn, tokenOut: tokenOut!, connectorTokens: [weth!] }
}

/** A route over these tokens that delivers so much. */
function planOver(grossOut: bigint, ...tokens: Address[]): Plan.Plan {
  const legs = [...tokens, tokenOut!].map((token) => ({ tokenOut: token }))
  return { route: { grossOut, legs } } as unknown as Plan.Plan
}

describe('candidatesOf', () => {
  test('default: tokens on both sides first, then pairs, then those with a connector; dead ends are left out', () => {
    const pair = pairWith(
      [tokenIn, a!],
      [a!, tokenOut!],
      [tokenIn, b!],
      [b!, c!],
      [c!, tokenOut!],
      [tokenIn, d!],
      [d!, weth!],
      [tokenIn, lonely!],
      [tokenIn, weth!],
    )
    expect(candidatesOf(pair)).toEqual([[a], [b, c], [d]])
  })

  test('behavior: pools that the Hub lists join tokens as announced ones do', () => {
    const pair = { ...pairWith([tokenIn, a!], [d!, weth!]), listed: [[d!, a!, tokenOut!]] }
    expect(candidatesOf(pair)).toEqual([[a], [a, d], [d]])
  })

  test('behavior: the two tokens and the connectors need no hint', () => {
    expect(
      candidatesOf(pairWith([tokenIn, tokenOut!], [tokenIn, weth!], [weth!, tokenOut!])),
    ).toEqual([])
  })
})

describe('proposeConnectors', () => {
  const pools = [a, b, c, d, e, f].flatMap((token): [Address, Address][] => [
    [tokenIn, token!],
    [token!, tokenOut!],
  ])

  test('default: keeps what the best routes use, the best first', async () => {
    const asked: string[] = []
    const proposed = await proposeConnectors(pairWith(...pools), async (hints) => {
      asked.push(hints.join())
      if (hints.length === 0) return planOver(100n, weth!)
      return hints.includes(f!) ? planOver(150n, f!) : planOver(120n, b!, c!)
    })
    expect(proposed).toEqual([f, b, c])
    expect(asked).toHaveLength(3)
  })

  test('behavior: a hint that adds nothing is not proposed', async () => {
    expect(await proposeConnectors(pairWith(...pools), async () => planOver(100n, a!))).toEqual([])
  })

  test('behavior: where only a hint makes a route, it is proposed', async () => {
    const proposed = await proposeConnectors(pairWith(...pools), async (hints) =>
      hints.includes(e!) ? planOver(1n, e!) : undefined,
    )
    expect(proposed).toEqual([e])
  })

  test('behavior: without candidates nothing is asked', async () => {
    const proposed = await proposeConnectors(pairWith(), async () => {
      throw new Error('asked')
    })
    expect(proposed).toEqual([])
  })
})
