import { prepareBatchResponse, prepareResponse, quoteResponse } from '@sluice/api'
import { Overrides, Undeployed } from '@sluice/domain'
import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../domain/test/deployments.js'
import { type Answer, ask, post, quotePath, startService } from '../test/harness.js'

const pool = '0x7777777777777777777777777777777777777777'
const slot = numberToHex(8, { size: 32 })
const given = { [pool]: { balance: '0x00ff', stateDiff: { [slot]: slot } } }
const normal = Overrides.parse(JSON.stringify(given))
const item = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1000000' }
const text = encodeURIComponent(JSON.stringify(given))
const statedPath = `${quotePath}&overrides=${text}`

describe('GET /api/quote', () => {
  test('default: the answer says what it holds on, and no cache keeps it', async () => {
    const { node, url } = await startService()
    for (const calls of [1, 2]) {
      const { body, headers, status } = await ask(url + statedPath)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(quoteResponse.parse(body)).toMatchObject({
        overrides: { accounts: 1, slots: 1 },
        warnings: [{ code: 'state_overridden' }],
        quote: { canExecute: false },
        meta: { cache: 'miss', call: { stateOverride: normal } },
      })
      expect(node.calls.get('eth_call')).toBe(calls)
    }
    const { body, headers } = await ask(url + quotePath)
    expect(headers.get('cache-control')).toMatch(/^public/)
    for (const name of ['overrides', 'warnings']) expect(body).not.toHaveProperty(name)
    expect(body).toMatchObject({ quote: { canExecute: true }, meta: { cache: 'miss' } })
    expect(quoteResponse.parse(body).meta!.call).not.toHaveProperty('stateOverride')
  })

  test('default: a recipient gets no transaction, and the reason', async () => {
    const { url } = await startService()
    const { body } = await ask(`${url}${statedPath}&recipient=${tokens.dai}`)
    expect(body).toMatchObject({ txReason: expect.stringContaining('`overrides`') })
    for (const name of ['tx', 'approval', 'permit']) expect(body).not.toHaveProperty(name)
  })

  test('behavior: costs twice the points each time, and a batch as much as its items', async () => {
    const { url } = await startService({ rateLimit: 0.001, rateBurst: 1_000 })
    const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    await ask(url + quotePath)
    const start = left(await ask(url + quotePath))
    expect(start - left(await ask(url + statedPath))).toBe(10)
    const again = left(await ask(`${url}${statedPath}&exact=1`))
    expect(start - again).toBe(10 + 30)
    const overrides = given
    const batch = { requests: [item, { ...item, overrides }, { ...item, overrides: 1 }] }
    expect(again - left(await post(`${url}/api/quote/batch`, batch))).toBe(5 + 10 + 5)
  })

  test('error: what is wrong, and where', async () => {
    const { url } = await startService()
    const { body, status } = await ask(`${url}${quotePath}&overrides=%7B%7D`)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'bad_param',
      details: [
        { field: 'overrides', code: 'bad_param', reason: 'must change at least one account' },
      ],
    })
    const { body: long } = await ask(`${url}${quotePath}&overrides=${'a'.repeat(3_000)}`)
    expect(long).toMatchObject({ code: 'too_large' })
  })
})

describe('prepare', () => {
  test('default: a URL and a body prepare the same call, which contains the state', async () => {
    const { node, url } = await startService()
    const { body } = await ask(url + statedPath.replace('quote', 'quote/prepare'))
    const { request, rpcRequest } = prepareResponse.strict().parse(body)
    expect(rpcRequest.params[2]).toEqual(normal)
    expect(request.overrides).toEqual(normal)
    for (const overrides of [given, JSON.stringify(given)]) {
      const answer = await post(`${url}/api/quote/prepare`, { requests: [{ ...item, overrides }] })
      const { items, rpcBatch } = prepareBatchResponse.parse(answer.body)
      expect(rpcBatch).toEqual([{ ...rpcRequest, id: 0 }])
      expect(items[0]).toMatchObject({ request: { overrides: normal, digest: expect.any(String) } })
    }
    expect(node.calls.get('eth_call')).toBeUndefined()
  })

  test('default: a service without relay prepares it', async () => {
    const { url } = await startService({ quoteRelay: 'off' })
    const { body } = await ask(url + statedPath)
    expect(body).toMatchObject({
      code: 'rpc_required',
      prepared: { request: { overrides: normal } },
    })
  })

  test('behavior: without deployed contracts, the call contains both', async () => {
    const { url } = await startService({
      rpcUrls: new Map([[8_453, ['http://127.0.0.1:1']]]),
      deployments: { schema: 1, chains: {} },
    })
    const stated = { ...item, overrides: given }
    const requests = [item, stated, item, ...Array(4).fill(stated)]
    const { body } = await post(`${url}/api/quote/prepare`, { requests })
    const { items, overrides, rpcBatch } = prepareBatchResponse.parse(body)
    const contracts = Undeployed.find(8_453)!.stateOverride!
    expect(overrides).toEqual({ 8453: contracts })
    const whole = { ...normal, ...contracts }
    const reference = '#/overrides/8453'
    expect(rpcBatch.map(({ params }) => params[2])).toEqual([
      reference,
      whole,
      reference,
      whole,
      whole,
      whole,
    ])
    expect(items[6]).toMatchObject({ code: 'too_large' })
    const [hub] = Object.keys(contracts)
    const own = { ...item, overrides: { [hub!]: { balance: '0x1' } } }
    const refused = await post(`${url}/api/quote/prepare`, { requests: [own] })
    expect(refused.body).toMatchObject({ items: [{ code: 'bad_param' }] })
  })
})
