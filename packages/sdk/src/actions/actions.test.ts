import { describe, expect, test } from 'vitest'
import { json, quoteBody, serviceOf, trade } from '../../test/service.js'
import {
  decodeQuote,
  getAbi,
  getBadge,
  getDeployments,
  getDiscovery,
  getHealth,
  getManifest,
  getQuote,
  getQuotes,
  getSolvency,
  NoRouteError,
  prepareQuote,
  prepareQuotes,
} from '../index.js'

const ok = [json({ ok: true })]
const base = 'http://sluice.test'

describe('requests', () => {
  test.each([
    ['getHealth', '/api/health', getHealth],
    ['getManifest', '/api/manifest', getManifest],
    ['getDiscovery', '/api', getDiscovery],
    ['getDeployments', '/api/deployments', getDeployments],
    ['getAbi', '/api/abi', getAbi],
    ['getBadge', '/api/badge', getBadge],
    ['getSolvency', '/api/solvency', getSolvency],
  ] as const)('default: %s requests %s', async (_, path, action) => {
    const { asked, client } = serviceOf(ok)
    await action(client)
    expect(asked).toMatchObject([{ method: 'GET', url: `${base}${path}` }])
  })

  test('default: getDeployments and getAbi send their filters', async () => {
    const { asked, client } = serviceOf(ok)
    await getDeployments(client, { chain: 8453, version: '1.0.0' })
    await getAbi(client, { contract: 'router', version: '2.0.0' })
    expect(asked.map(({ url }) => url)).toEqual([
      `${base}/api/deployments?chain=8453&version=1.0.0`,
      `${base}/api/abi?contract=router&version=2.0.0`,
    ])
  })

  test('default: getQuote and prepareQuote send every parameter', async () => {
    const { asked, client } = serviceOf([json(quoteBody)])
    const all = {
      ...trade,
      recipient: '0x00000000000000000000000000000000000000AA',
      slippageBps: 0,
      deadlineSec: 30,
      exact: true,
      gasPrice: 5n,
      connectors: ['0x01', '0x02'],
      pools: ['0x03', '0x04'],
    }
    await getQuote(client, all)
    await prepareQuote(client, all)
    const query =
      'chain=base&in=WETH&out=USDC&amountIn=1000000000000000000&recipient=0x00000000000000000000000000000000000000AA' +
      '&slippageBps=0&deadlineSec=30&exact=1&gasPrice=5&connectors=0x01%2C0x02&pools=0x03%2C0x04'
    expect(asked.map(({ url }) => url)).toEqual([
      `${base}/api/quote?${query}`,
      `${base}/api/quote/prepare?${query}`,
    ])
  })

  test('default: sends a state in a body, and returns the only item or throws its error', async () => {
    const overrides = { [`0x${'aa'.repeat(20)}`]: { balance: 1n } } as const
    const prepared = { ok: true, rpcRequest: { params: [] } }
    const failed = { ok: false, code: 'bad_param', error: 'No.', details: [] }
    const { asked, client } = serviceOf([
      json({ ok: true, results: [quoteBody] }),
      json({ ok: true, items: [prepared], rpcBatch: [] }),
      json({ ok: true, results: [failed] }),
      json({ ok: true, items: [failed], rpcBatch: [] }),
    ])
    expect(await getQuote(client, { ...trade, overrides })).toMatchObject({
      amountOut: BigInt(quoteBody.amountOut),
    })
    expect(await prepareQuote(client, { ...trade, overrides })).toEqual(prepared)
    for (const action of [getQuote, prepareQuote])
      await expect(action(client, { ...trade, overrides })).rejects.toMatchObject({
        code: 'bad_param',
      })
    const body = {
      requests: [{ chain: 'base', overrides: { [`0x${'aa'.repeat(20)}`]: { balance: '0x1' } } }],
    }
    expect(asked.slice(0, 2)).toMatchObject([
      { method: 'POST', url: `${base}/api/quote/batch`, body },
      { method: 'POST', url: `${base}/api/quote/prepare`, body },
    ])
  })

  test('behavior: a state that is not JSON is sent as it is, and the service refuses it', async () => {
    const failed = { ok: false, code: 'bad_param', error: 'No.', details: [] }
    const { asked, client } = serviceOf([json({ ok: true, results: [failed] })])
    await expect(getQuote(client, { ...trade, overrides: '{' })).rejects.toMatchObject({
      code: 'bad_param',
    })
    expect(asked).toMatchObject([{ body: { requests: [{ overrides: '{' }] } }])
  })

  test('default: prepareQuotes and decodeQuote send a POST', async () => {
    const { asked, client } = serviceOf([json({ ok: true }), json(quoteBody)])
    await prepareQuotes(client, [trade])
    await decodeQuote(client, { request: { digest: '0x1' } as never, result: '0x2' })
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: `${base}/api/quote/prepare`,
        body: { requests: [{ chain: 'base', amountIn: '1000000000000000000' }] },
      },
      {
        method: 'POST',
        url: `${base}/api/quote/decode`,
        body: { request: { digest: '0x1' }, result: '0x2' },
      },
    ])
  })
})

describe('calls with a state override', () => {
  const call = { to: '0x01', data: '0x02', gas: '0x03' }
  const state = { '0x01': { code: '0x60' } }
  const callWith = (third: unknown) => ({ id: 0, params: [call, 'latest', third] })
  const batchWith = (third: unknown) => ({
    ok: true,
    rpcBatch: [callWith(third)],
    items: [
      { ok: true, rpcRequest: callWith(third) },
      { ok: false, code: 'bad_in', error: 'No.' },
    ],
  })
  const referring = { ...batchWith('#/overrides/8453'), overrides: { 8453: state } }

  test('default: puts the state override into each call of a batch', async () => {
    const { client } = serviceOf([json(referring)])
    expect(await prepareQuotes(client, [trade, trade])).toEqual(batchWith(state))
  })

  test('behavior: does so for the prepared calls of an rpc_required error', async () => {
    const body = { ok: false, code: 'rpc_required', error: 'No node.', prepared: referring }
    const { client } = serviceOf([json(body, 400)])
    await expect(getQuotes(client, [trade, trade])).rejects.toMatchObject({
      code: 'rpc_required',
      prepared: batchWith(state),
    })
  })

  test('behavior: keeps a reference to a missing override, which nodes reject', async () => {
    const lost = batchWith('#/overrides/1')
    const { client } = serviceOf([json({ ...lost, overrides: { 8453: state } })])
    expect(await prepareQuotes(client, [trade])).toEqual(lost)
  })
})

describe('responses', () => {
  test('default: converts amounts to bigint and keeps other members', async () => {
    const extra = { later: { amountIn: '1' }, issues: [null] }
    const { client } = serviceOf([json({ ...quoteBody, ...extra })])
    const quote = await getQuote(client, trade)
    expect(quote.amountOut).toBe(9_007_199_254_740_993n)
    expect(quote.quote).toMatchObject({ netOut: 9_007_199_254_740_993n, impactBps: 3 })
    expect(quote.route).toMatchObject({ impactBps: 3n, legs: [{ key: 3_000n, venue: 2 }] })
    expect(quote).toMatchObject(extra)
    expect(Object.keys(quote)).toEqual([...Object.keys(quoteBody), ...Object.keys(extra)])
  })

  test('behavior: null means absent', async () => {
    const nulls = { quote: null, tx: null, approval: null, resolved: null, meta: null }
    const { client } = serviceOf([json({ ...quoteBody, ...nulls })])
    const quote = await getQuote(client, trade)
    for (const name of Object.keys(nulls)) expect(quote).not.toHaveProperty(name)
  })

  test('behavior: each item of a batch succeeds or fails on its own', async () => {
    const failed = { ok: false, code: 'no_route', error: 'None.' }
    const { client } = serviceOf([json({ ok: true, count: 2, results: [failed, quoteBody] })])
    const [first, second] = await getQuotes(client, [trade, trade])
    expect(first).toMatchObject({ ok: false, error: { code: 'no_route', status: undefined } })
    expect(first!.ok === false && first!.error).toBeInstanceOf(NoRouteError)
    expect(second).toMatchObject({ ok: true, value: { amountOut: 9_007_199_254_740_993n } })
  })

  test('error: a batch with another number of results', async () => {
    const { client } = serviceOf([json({ ok: true, count: 1, results: [quoteBody] })])
    await expect(getQuotes(client, [trade, trade])).rejects.toThrow('does not have 2 results')
  })
})
