import { describe, expect, test } from 'vitest'
import type { ServedChain } from '../registry/ServedChain.js'
import type { Venue } from '../registry/Venues.js'
import * as Sources from './Sources.js'

const chain = { name: 'Base' } as ServedChain
const venues = new Map(
  ['uniswap-v2', 'uniswap-v3', 'aerodrome', 'old'].map((name, index): [number, Venue] => {
    const number = index + 1
    return [number, { name, number, isEnabled: name !== 'old' } as Venue]
  }),
)
const resolve = (name: Sources.Name, list: string, known: typeof venues | undefined = venues) =>
  Sources.resolve(chain, { name, list, venues: known })

describe('Sources.resolve', () => {
  test.each([
    ['excludeSources', 'uniswap-v3', [2]],
    ['excludeSources', 'aerodrome,uniswap-v2,aerodrome', [1, 3]],
    ['excludeSources', '2', [2]],
    ['includeSources', 'uniswap-v3', [1, 3]],
    ['includeSources', 'uniswap-v3,aerodrome,uniswap-v2', []],
  ] as const)('default: %s=%s', (name, list, excluded) => {
    expect(resolve(name, list)).toEqual({ excluded })
  })

  test('behavior: numbers need no venues, so that a prepared request can be read anywhere', () => {
    expect(
      Sources.resolve(chain, { name: 'excludeSources', list: '3,1', venues: undefined }),
    ).toEqual({ excluded: [1, 3] })
  })

  test.each([
    ['excludeSources', 'sushi', 'send some of uniswap-v2, uniswap-v3, aerodrome'],
    ['excludeSources', 'old', 'which is no venue of Base'],
    ['excludeSources', '9', 'which is no venue of Base'],
    ['includeSources', 'uniswap-v3,nothing', 'which is no venue of Base'],
    ['excludeSources', '1,2,3', 'leaves no venue of Base'],
  ] as const)('error: %s=%s', (name, list, reason) => {
    expect(resolve(name, list)).toEqual({ reason: expect.stringContaining(reason) })
  })

  test('error: names need the venues', () => {
    for (const name of Sources.names)
      expect(Sources.resolve(chain, { name, list: 'uniswap-v3', venues: undefined })).toEqual({
        reason: expect.stringContaining('not known here'),
      })
  })

  test('default: names what is allowed', () => {
    expect(Sources.allowed(venues, [2])).toEqual(['uniswap-v2', 'aerodrome'])
  })
})
