import { describe, expect, test } from 'vitest'
import { planOf } from '../../engine/test/fakeNode.js'
import { ask, post, quotePath, startService } from '../test/harness.js'

/** A node that computes quotes, and nothing else: what an explanation needs always fails there. */
const explained = `${quotePath}&explain=1`
const untold = ['No node told which pools the search found.']

describe('explain=1', () => {
  test('behavior: a quote is whole if its explanation fails, which then says so', async () => {
    const { node, url } = await startService()
    const { body, status } = await ask(url + explained)
    const { explain, ...quote } = body as Record<string, never>
    const plain = await ask(url + quotePath)
    expect([status, quote['amountOut'], quote['tx']]).toEqual([
      200,
      plain.body['amountOut'],
      plain.body['tx'],
    ])
    expect(explain).toMatchObject({
      unknown: untold,
      call: { to: expect.any(String), blockNumber: 100 },
      minimum: { decidedBy: 'floor' },
    })
    expect(explain!['alternatives']).toBeUndefined()
    expect(node.requests).toBeLessThanOrEqual(1 + 8 + 1)
  })

  test('behavior: never cached for others, and read again each time', async () => {
    const { url } = await startService()
    const first = await ask(url + explained)
    const again = await ask(url + explained)
    expect([first, again].map(({ headers }) => headers.get('cache-control'))).toEqual([
      'no-store',
      'no-store',
    ])
    expect(again.body['explain']).toBeDefined()
    expect((await ask(url + quotePath)).body['explain']).toBeUndefined()
  })

  test('behavior: costs 25 points more, in a batch too', async () => {
    const { url } = await startService({ rateLimit: 1e-9, rateBurst: 200 })
    const left = ({ headers }: { headers: Headers }) =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    expect(left(await ask(url + explained))).toBe(170)
    const item = { chain: 'base', in: 'WETH', out: 'DAI', amountIn: '1000000' }
    const requests = [{ ...item, explain: true }, item]
    expect(left(await post(`${url}/api/quote/batch`, { requests }))).toBe(170 - 25 - 10)
  })

  test('behavior: without a route, the error stays the same and says what could not be told', async () => {
    const { node, url } = await startService()
    node.plan = (asked) => planOf(asked, { verdict: 1 })
    const { body, status } = await ask(url + explained)
    const plain = await ask(url + quotePath)
    expect([status, body['code'], body['error'], body['details']]).toEqual([
      422,
      'no_route',
      plain.body['error'],
      plain.body['details'],
    ])
    expect(body['explain']).toMatchObject({ unknown: untold, call: { blockNumber: 100 } })
    expect(plain.body['explain']).toBeUndefined()
  })

  test('behavior: errors that say nothing about routes are not explained', async () => {
    const { node, url } = await startService()
    node.fault = { status: 500 }
    const { body, status } = await ask(url + explained)
    expect([status, body['code'], body['explain']]).toEqual([502, 'rpc_unreachable', undefined])
  })

  test('error: any value but 1', async () => {
    const { url } = await startService()
    const { body, status } = await ask(`${url}${quotePath}&explain=yes`)
    expect([status, body['code']]).toEqual([400, 'bad_param'])
  })
})
