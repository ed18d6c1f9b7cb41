import { batchResponse } from '@sluice/api'
import { describe, expect, test } from 'vitest'
import { ask, post, postChunked, startService } from '../test/harness.js'

const path = '/api/quote/batch'
const item = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1000000' }

describe('POST /api/quote/batch', () => {
  test('default: quotes and errors in order, one call for each trade', async () => {
    const { node, url } = await startService()
    const { body, headers, status } = await post(url + path, {
      requests: [
        item,
        { ...item, amountIn: 1e21 },
        { ...item, chain: 8_453, in: 'ETH', amountIn: 7_000_000, exact: true },
        { ...item, out: 'WETH' },
        'x',
        item,
      ],
    })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(batchResponse.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      ok: true,
      count: 6,
      results: [
        { ok: true, mode: 'preview', amountOut: '1994400', meta: { cache: 'miss' } },
        { ok: false, code: 'bad_amount_in' },
        { ok: true, mode: 'exact', amountIn: '7000000', wrapRequired: true },
        { ok: false, code: 'bad_pair' },
        { ok: false, code: 'bad_request' },
        { ok: true, amountOut: '1994400', meta: { cache: 'coalesced' } },
      ],
    })
    expect(node.calls.get('eth_call')).toBe(2)
  })

  test('behavior: a node that is down fails the items, not the batch', async () => {
    const { node, url } = await startService()
    node.fault = { status: 503 }
    const { body, status } = await post(url + path, { requests: [item, { ...item, in: 'x' }] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      results: [{ code: 'rpc_unreachable' }, { code: 'unresolved' }],
    })
  })

  test.each([
    ['bad_body', '{"requests":[}'],
    ['bad_body', '[]'],
    ['bad_body', ''],
    ['bad_body', '{"requests":[],"requests":[]}'],
    ['bad_batch', '{}'],
    ['bad_batch', '{"requests":[]}'],
    ['bad_batch', JSON.stringify({ requests: Array(11).fill(item) })],
  ])('error: %s for %s', async (code, text) => {
    const { url } = await startService()
    expect(await post(url + path, text)).toMatchObject({ status: 400, body: { ok: false, code } })
  })

  test('error: a body that is not UTF-8', async () => {
    const { url } = await startService()
    const headers = { 'content-type': 'application/json' }
    const body = new Uint8Array([0x7b, 0xff, 0x7d])
    expect(await ask(url + path, { method: 'POST', headers, body })).toMatchObject({
      status: 400,
      body: { code: 'bad_body' },
    })
  })

  test('error: parameters in the query', async () => {
    const { url } = await startService()
    expect(await post(`${url}${path}?chain=base`, { requests: [item] })).toMatchObject({
      status: 400,
      body: { code: 'bad_param', details: [{ field: 'chain' }] },
    })
  })

  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=latin1', {}],
    ['application/jsonp', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
    ['application/json', { 'content-encoding': 'identity' }],
  ])('error: %s %j is 415', async (type, more) => {
    const { url } = await startService()
    const headers = { 'content-type': type, ...more }
    const body = JSON.stringify({ requests: [item] })
    expect(await ask(url + path, { method: 'POST', headers, body })).toMatchObject({
      status: 415,
      body: { ok: false, code: 'bad_body' },
    })
  })

  test('behavior: accepts 64 KiB; a byte more is 413, with a length or in chunks', async () => {
    const { url } = await startService()
    const text = JSON.stringify({ requests: [item] })
    const full = text + ' '.repeat(65_536 - text.length)
    expect((await post(url + path, full)).status).toBe(200)
    expect(await post(url + path, `${full} `)).toMatchObject({
      status: 413,
      body: { ok: false, code: 'too_large' },
    })
    const half = full.slice(0, 32_768)
    const chunks = [half, full.slice(32_768)]
    expect((await postChunked(url + path, chunks)).status).toBe(200)
    expect(await postChunked(url + path, [...chunks, ' '])).toMatchObject({
      status: 413,
      body: { ok: false, code: 'too_large' },
    })
  })
})
