import type { Plan } from '@sluice/domain'
import { type Address, concat, numberToHex, pad, zeroAddress } from 'viem'
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
  // The embedded store writes before it returns.
  store
    .logs(chainId, [])
    .append(undefined, { logs, blocks: [{ number: pools.length, hash: noHash }] })
  const tokens = { tokenIn, tokenOut: tokenOut!, wrappedNative: weth!, connectorTokens: [weth!] }
  return { store, chainId, ...tokens }
}

/**
 * A route over these tokens in parallel with this output. The first token gets half of the input, the second half of
 * the rest.
 */
function planOver(grossOut: bigint, ...tokens: Address[]): Plan.Plan {
  const legs = tokens.flatMap((token, index) => {
    const share = index === tokens.length - 1 ? 10n ** 18n : 10n ** 18n / 2n
    return [
      { tokenIn, tokenOut: token, share },
      { tokenIn: token, tokenOut, share: 10n ** 18n },
    ]
  })
  return { route: { tokenIn, grossOut, legs } } as unknown as Plan.Plan
}

describe('candidatesOf', () => {
  test('default: neighbors of both tokens first, then pairs, then neighbors of a connector; no dead ends', () => {
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

  test('behavior: pools that the Hub lists connect tokens like announced ones', () => {
    const pair = { ...pairWith([tokenIn, a!], [d!, weth!]), listed: [[d!, a!, tokenOut!]] }
    expect(candidatesOf(pair)).toEqual([[a], [a, d], [d]])
  })

  test('behavior: the native coin counts as its wrapped form', () => {
    expect(
      candidatesOf({
        ...pairWith([tokenIn, a!], [a!, zeroAddress], [zeroAddress, b!]),
        tokenOut: weth!,
        connectorTokens: [],
      }),
    ).toEqual([[a]])
    expect(
      candidatesOf({
        ...pairWith([a!, zeroAddress], [tokenIn, a!], [tokenIn, zeroAddress]),
        connectorTokens: [weth!],
      }),
    ).toEqual([[a]])
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

  test('default: keeps the hints that the best routes use, best first', async () => {
    const asked: string[] = []
    const proposed = await proposeConnectors(pairWith(...pools), async (hints) => {
      asked.push(hints.join())
      if (hints.length === 0) return planOver(100n, weth!)
      return hints.includes(f!) ? planOver(150n, f!) : planOver(120n, b!, c!)
    })
    expect(proposed).toEqual([f, b, c])
    // One call without hints, two packs of candidates, each candidate alone, the best three hints with each other token,
    // and what is proposed.
    const rest = [a, d, e].map((token) => [f, b, c, token].join())
    const packs = ['', [a, b, c, d].join(), [e, f].join()]
    const alone = [a, b, c, d, e, f].map(String)
    expect(asked).toEqual([...packs, ...alone, ...rest, [f, b, c].join()])
  })

  test('behavior: a hint that hides the route of another one is not proposed with it', async () => {
    const worth = (hints: readonly Address[]) => {
      if (hints.join() === [a].join()) return planOver(150n, a!)
      return hints.length === 1 && hints[0] === b ? planOver(120n, b!) : planOver(100n, weth!)
    }
    const proposed = await proposeConnectors(pairWith(...pools), async (hints) => worth(hints))
    expect(proposed).toEqual([a])
  })

  test('behavior: replaces the least used hint if another one pays more', async () => {
    const worth = new Map(
      [a, b, c, d, e, f].map((token, at) => [token, [40n, 30n, 20n, 5n, 10n, 1n][at]!]),
    )
    const worthOf = (hint: Address) => worth.get(hint)!
    const proposed = await proposeConnectors(pairWith(...pools), async (hints) => {
      const byWorth = [...hints].sort((x, y) => Number(worthOf(y) - worthOf(x)))
      return planOver(
        hints.map(worthOf).reduce((sum, part) => sum + part, 100n),
        ...byWorth,
      )
    })
    expect(proposed).toEqual([a, b, c, e])
  })

  test('behavior: a hint that adds nothing is not proposed', async () => {
    expect(await proposeConnectors(pairWith(...pools), async () => planOver(100n, a!))).toEqual([])
  })

  test('behavior: proposes a hint without which there is no route', async () => {
    const proposed = await proposeConnectors(pairWith(...pools), async (hints) =>
      hints.includes(e!) ? planOver(1n, e!) : undefined,
    )
    expect(proposed).toEqual([e])
  })

  test('behavior: quotes nothing if there are no candidates', async () => {
    const proposed = await proposeConnectors(pairWith(), async () => {
      throw new Error('asked')
    })
    expect(proposed).toEqual([])
  })
})
