import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { startFakeNode, venue } from '../../engine/test/fakeNode.js'
import { ask, quotePath, startService } from '../test/harness.js'

const path = '/api/sources?chain=base'
const source = {
  venue: 1,
  venueName: 'fake-v3',
  kind: 'uniswapV3',
  factory: getAddress(venue.factory),
  enabled: true,
  feePips: null,
}

describe('GET /api/sources', () => {
  test('default: the venues of the Hub; the number of pools is null without an index', async () => {
    const { url } = await startService()
    const { body, headers, status } = await ask(`${url}${path}`)
    expect([status, body]).toEqual([
      200,
      { ok: true, chainId: 8453, sources: [{ ...source, pools: null }] },
    ])
    expect(headers.get('cache-control')).toBe('public, max-age=60')
  })

  test('behavior: with an index, a venue without pools has zero', async () => {
    const { url } = await startService({ poolIndex: ':memory:' })
    const { body } = await ask(`${url}${path}`)
    expect(body['sources']).toEqual([{ ...source, pools: 0 }])
  })

  test('error: 502 if no node answers', async () => {
    const { node, url } = await startService({ rpcUrls: new Map([[8453, ['http://127.0.0.1:1']]]) })
    const { body, status } = await ask(`${url}${path}`)
    expect([status, body['code'], node.requests]).toEqual([502, 'rpc_unreachable', 0])
  })

  test.each([
    ['', 'bad_chain'],
    ['?chain=nowhere', 'bad_chain'],
    ['?chain=1', 'bad_chain'],
    ['?chain=base&chain=base', 'bad_param'],
    ['?chain=base&in=WETH', 'bad_param'],
  ])('error: 400 for "%s"', async (query, code) => {
    const { url } = await startService()
    const { body, status } = await ask(`${url}/api/sources${query}`)
    expect([status, body['code']]).toEqual([400, code])
  })
})

describe('legs of a quote', () => {
  test('behavior: name their venue, even if the first quote arrives before the venues are read', async () => {
    let release = () => {}
    const untilVenues = new Promise<void>((resolve) => {
      release = resolve
    })
    const node = await startFakeNode({ chainId: 8_453n, untilVenues })
    const { url } = await startService({ rpcUrls: new Map([[8_453, [node.url]]]) })
    const quoting = ask(`${url}${quotePath}`)
    await expect.poll(() => node.calls.get('eth_call')).toBe(1)
    release()
    const { body } = await quoting
    await node.close()
    const { legs } = body['route'] as { legs: Record<string, unknown>[] }
    expect(legs).toEqual([
      expect.objectContaining({
        venue: 1,
        venueName: 'fake-v3',
        kind: 'uniswapV3',
        feePips: 3_000,
      }),
    ])
  })
})
