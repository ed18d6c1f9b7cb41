import { prepareBatchResponse, prepareResponse } from '@sluice/api'
import { Preparation, Undeployed } from '@sluice/domain'
import { describe, expect, test } from 'vitest'
import { quoter, router, tokens } from '../../domain/test/deployments.js'
import { ask, post, quotePath, type Service, startService } from '../test/harness.js'

const path = quotePath.replace('/api/quote', '/api/quote/prepare')
const item = { chain: 'base', in: 'ETH', out: 'USDC', amountIn: '1000000' }

async function withoutNodes(changes = {}): Promise<Service> {
  // Nothing listens there, so any call would fail.
  return startService({ rpcUrls: new Map([[8_453, ['http://127.0.0.1:1']]]), ...changes })
}

describe('GET /api/quote/prepare', () => {
  test('default: returns the complete call with explanations', async () => {
    const { url } = await withoutNodes()
    const { body, headers, status } = await ask(`${url}${path}&recipient=${tokens.dai}`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(prepareResponse.strict().parse(body)).toEqual(body)
    const { call, request, rpcRequest } = prepareResponse.parse(body)
    expect(body).toMatchObject({
      ok: true,
      mode: 'prepare',
      chainId: 8_453,
      protocolVersion: '1.0.0',
      // A quote for signing is run on the live pools.
      call: {
        function: 'previewPlanExact',
        signature:
          'previewPlanExact(address,address,uint256,(uint256,address[],uint256,uint256[]))',
      },
      decode: { method: 'POST', path: '/api/quote/decode' },
      expiresAt: request.expiresAt,
    })
    expect(prepareResponse.parse(body).contracts.quoter.toLowerCase()).toBe(quoter)
    expect(prepareResponse.parse(body).contracts.router.toLowerCase()).toBe(router.toLowerCase())
    const { data, gas, to } = call
    const params = [{ to, data, gas }, 'latest']
    expect(rpcRequest).toEqual({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
    expect(request).toMatchObject({
      schema: 1,
      chain: 8_453,
      in: tokens.weth,
      out: tokens.usdc,
      recipient: tokens.dai,
      deadlineSec: 120,
      exact: false,
      gasPrice: '0',
    })
    expect(request.expiresAt - request.preparedAt).toBe(120_000)
    expect(Math.abs(Date.now() - request.preparedAt)).toBeLessThan(60_000)
    expect(body['curl']).toBe(
      `curl -s -H 'content-type: application/json' --data '${JSON.stringify(rpcRequest)}' "$RPC_URL"`,
    )
  })

  test('behavior: curl uses the URL of the devnet node by default', async () => {
    const { node, url } = await startService({ publishRpc: true })
    const { body } = await ask(url + path)
    expect(body['curl']).toContain(`"\${RPC_URL:-${node.url}}"`)
    expect(node.calls.get('eth_call')).toBeUndefined()
  })

  test('behavior: exact quotes call another function', async () => {
    const { url } = await withoutNodes()
    const { body } = await ask(`${url}${path}&exact=1&gasPrice=7`)
    expect(body['call']).toMatchObject({
      function: 'previewPlanExact',
      signature: 'previewPlanExact(address,address,uint256,(uint256,address[],uint256,uint256[]))',
    })
  })

  test.each([
    ['bad_chain', '?chain=4663&in=WETH&out=USDC&amountIn=1'],
    ['bad_amount_in', '?chain=base&in=WETH&out=USDC&amountIn=0x1'],
    ['bad_param', '?chain=base&in=WETH&out=USDC&amountIn=1&x=1'],
    ['bad_pair', '?chain=base&in=WETH&out=ETH&amountIn=1'],
  ])('error: %s, as for a quote', async (code, query) => {
    const { url } = await withoutNodes()
    const prepared = await ask(`${url}/api/quote/prepare${query}`)
    const quoted = await ask(`${url}/api/quote${query}`)
    expect(prepared).toMatchObject({ status: 400, body: { ok: false, code } })
    expect(prepared.body['details']).toEqual(quoted.body['details'])
  })
})

describe('POST /api/quote/prepare', () => {
  test('default: one JSON-RPC batch whose ids are indexes; failures stay in place', async () => {
    const { url } = await withoutNodes()
    const requests = [item, { ...item, amountIn: 'x' }, { ...item, exact: true }, null]
    const { body, status } = await post(`${url}/api/quote/prepare`, { requests })
    expect(status).toBe(200)
    const batch = prepareBatchResponse.parse(body)
    expect(batch.count).toBe(4)
    expect(batch.items.map((each) => (each.ok ? 'ok' : each.code))).toEqual([
      'ok',
      'bad_amount_in',
      'ok',
      'bad_request',
    ])
    expect(batch.rpcBatch.map(({ id }) => id)).toEqual([0, 2])
    expect(batch.rpcBatch).toEqual(
      batch.items.flatMap((each) => (each.ok ? [each.rpcRequest] : [])),
    )
    expect(batch.curl).toBe(Preparation.curlOf(batch.rpcBatch))
  })

  test('behavior: calls on several chains give several commands', async () => {
    const nowhere = ['http://127.0.0.1:1']
    const { url } = await withoutNodes({
      rpcUrls: new Map([
        [8_453, nowhere],
        [42_161, nowhere],
      ]),
    })
    const requests = [item, { ...item, chain: 'arbitrum' }, { ...item, amountIn: '7' }]
    const { body } = await post(`${url}/api/quote/prepare`, { requests })
    const { curl, items } = prepareBatchResponse.parse(body)
    const sent = (places: number[]) =>
      JSON.stringify(places.map((place) => (items[place] as { rpcRequest: unknown }).rpcRequest))
    const command = (json: string, variable: string) =>
      `curl -s -H 'content-type: application/json' --data '${json}' "$${variable}"`
    expect(curl).toBe(`${command(sent([0, 2]), 'RPC_8453')}\n${command(sent([1]), 'RPC_42161')}`)
  })

  describe('without deployed contracts', () => {
    const ask = async (body: object) => {
      const rpcUrls = new Map([8_453, 42_161].map((id) => [id, ['http://127.0.0.1:1']]))
      const { url } = await withoutNodes({ rpcUrls, deployments: { schema: 1, chains: {} } })
      const response = await fetch(`${url}/api/quote/prepare`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return await response.text()
    }
    const stateOf = (name: number) => Undeployed.find(name)!.stateOverride!

    test('default: the response contains the contracts once for each chain, and calls refer to them', async () => {
      const other = { ...item, chain: 'arbitrum' }
      const text = await ask({ requests: [...Array(16).fill(item), ...Array(16).fill(other)] })
      const { curl, items, overrides, rpcBatch } = prepareBatchResponse.parse(JSON.parse(text))
      expect(overrides).toEqual({ 8453: stateOf(8_453), 42161: stateOf(42_161) })
      const carried = JSON.stringify(overrides).length
      expect(text.length - carried).toBeLessThan(32 * 4_096)
      expect(curl).toBeUndefined()
      for (const [place, call] of rpcBatch.entries()) {
        const chainId = place < 16 ? 8_453 : 42_161
        expect(items[place]).toMatchObject({ ok: true, rpcRequest: call })
        expect(items[place]).not.toHaveProperty('curl')
        expect(call.params.slice(1)).toEqual(['latest', `#/overrides/${chainId}`])
      }
    })

    test('behavior: `overrides: "inline"` gives each call its own, for up to four calls', async () => {
      const text = await ask({ requests: Array(32).fill(item), overrides: 'inline' })
      // Each of the four calls contains them: in its item, in the item's command, in the batch and in the batch's command.
      const carried = JSON.stringify(stateOf(8_453)).length
      expect(carried).toBeLessThan(700_000)
      expect(text.length - 16 * carried).toBeLessThan(32 * 4_096)
      const { items, rpcBatch, ...rest } = prepareBatchResponse.parse(JSON.parse(text))
      expect(rest.overrides).toBeUndefined()
      expect(rest.curl).toBe(Preparation.curlOf(rpcBatch))
      expect(rpcBatch.map(({ params }) => params[2])).toEqual(Array(4).fill(stateOf(8_453)))
      expect(items.slice(0, 4).map(({ ok }) => ok)).toEqual(Array(4).fill(true))
      expect(items[4]).toMatchObject({
        code: 'too_large',
        error:
          'No contracts are deployed on Base, so a call that is `inline` or has `overrides` must contain them. Prepare at most 4 such calls at a time.',
      })
    })
  })

  test('behavior: no command if nothing was prepared', async () => {
    const { url } = await withoutNodes()
    const { body } = await post(`${url}/api/quote/prepare`, { requests: [{}] })
    expect(prepareBatchResponse.parse(body)).toMatchObject({ rpcBatch: [], count: 1 })
    expect(body).not.toHaveProperty('curl')
  })

  test.each([
    ['bad_batch', { requests: Array(33).fill(item) }],
    ['bad_batch', { requests: [] }],
    ['bad_batch', { requests: [item], more: 1 }],
    ['bad_batch', { requests: [item], overrides: 'none' }],
    ['bad_batch', {}],
    ['bad_body', []],
    ['bad_body', '{'],
  ])('error: %s', async (code, body) => {
    const { url } = await withoutNodes()
    const answer = await post(`${url}/api/quote/prepare`, body)
    expect(answer).toMatchObject({ status: 400, body: { ok: false, code } })
  })

  test('behavior: accepts 32 requests', async () => {
    const { url } = await withoutNodes()
    const requests = Array(32).fill(item)
    const { body } = await post(`${url}/api/quote/prepare`, { requests })
    expect(body).toMatchObject({ ok: true, count: 32 })
  })
})

describe('QUOTE_RELAY=off', () => {
  const deprecated = (headers: Headers) => [headers.get('deprecation'), headers.get('link')]

  test('behavior: refuses a quote with its prepared call', async () => {
    const { url } = await withoutNodes({ quoteRelay: 'off' })
    const { body, headers, status } = await ask(url + quotePath)
    expect([status, body['code'], body['ok']]).toEqual([400, 'rpc_required', false])
    const { curl } = prepareResponse.parse(body['prepared'])
    expect(curl).toBe((await ask(url + path)).body['curl'])
    expect(deprecated(headers)).toEqual([
      expect.stringMatching(/^@\d+$/),
      '</api/quote/prepare>; rel="successor-version", </errors/rpc_required>; rel="deprecation"; type="text/html"',
    ])
  })

  test('behavior: refuses a batch with its prepared calls', async () => {
    const { url } = await withoutNodes({ quoteRelay: 'off' })
    const { body, headers, status } = await post(`${url}/api/quote/batch`, { requests: [item] })
    expect([status, body['code']]).toEqual([400, 'rpc_required'])
    expect(prepareBatchResponse.parse(body['prepared']).count).toBe(1)
    expect(deprecated(headers)[1]).toContain('successor-version')
  })

  test('error: invalid parameters are reported first', async () => {
    const { url } = await withoutNodes({ quoteRelay: 'off' })
    expect((await ask(`${url}/api/quote?chain=base`)).body['code']).toBe('bad_in')
    const requests = Array(11).fill(item)
    expect((await post(`${url}/api/quote/batch`, { requests })).body['code']).toBe('bad_batch')
  })
})
