import { describe, expect, test } from 'vitest'
import { type Service, startService } from '../test/harness.js'

const trade = { chain: 'base', in: 'WETH', out: 'USDC', amount: '1000000', amountUnit: 'base' }

/** Sends a body like an older client, without a handshake. */
async function send({ url }: Service, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  const text = await response.text()
  const messages = text.match(/^(data: )?[{[].*$/gm) ?? []
  return {
    status: response.status,
    messages: messages.map((each) => JSON.parse(each.replace(/^data: /, ''))),
  }
}

/** Calls the quote tool. Returns its result, or the whole response if no tool was called. */
async function getQuote(service: Service, headers: Record<string, string>) {
  const params = { name: 'get_quote', arguments: trade }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const { messages } = await send(service, message, headers)
  const [body] = messages
  return body.result ? JSON.parse(body.result.content[0].text) : body
}

describe('/mcp', () => {
  test('behavior: requests of tools count against their caller', async () => {
    const trustedProxies = ['127.0.0.0/8']
    const service = await startService({ rateLimit: 1, rateBurst: 1, trustedProxies })
    const from = (address: string) => getQuote(service, { 'x-forwarded-for': address })
    expect(await from('192.0.2.1')).toMatchObject({ ok: true })
    expect(await from('192.0.2.1')).toMatchObject({ ok: false, code: 'rate_limited' })
    expect(await from('192.0.2.2')).toMatchObject({ ok: true })
  })

  test('behavior: links in errors use the public URL', async () => {
    const service = await startService({ baseUrl: 'https://quotes.example/sluice' })
    const params = { name: 'get_quote', arguments: { ...trade, out: 'WETH' } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const local = { ...service, url: `http://127.0.0.1:${service.port}` }
    const { messages } = await send(local, message)
    expect(JSON.parse(messages[0].result.content[0].text)).toMatchObject({
      code: 'bad_pair',
      docs: 'https://quotes.example/sluice/errors/bad_pair',
    })
  })

  test('behavior: responses have a request id, no-store and nosniff', async () => {
    const { url } = await startService()
    for (const method of ['GET', 'POST']) {
      const { headers } = await fetch(`${url}/mcp`, { method, headers: { origin: url } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
      // Other origins are refused here, so there are no CORS headers.
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('behavior: so does the list of tools', async () => {
    const service = await startService({ rateLimit: 0.01, rateBurst: 10 })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) statuses.push((await send(service, list)).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  test('behavior: a body with many messages, or a deeply nested one, is refused early', async () => {
    const service = await startService()
    const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const batch = (count: number) => Array.from({ length: count }, (_, index) => list(index))
    expect((await send(service, batch(10))).messages).toHaveLength(10)
    expect(await send(service, batch(11))).toEqual({
      status: 400,
      messages: [
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32_600, message: 'The body has more than 10 messages; split it.' },
        },
      ],
    })
    const nested = (depth: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const bodies = [
      nested(16),
      nested(50_000),
      '['.repeat(50_000),
      `\ufeff ${JSON.stringify(batch(11))}`,
    ]
    for (const body of bodies) expect((await send(service, body)).status).toBe(400)
    expect((await send(service, `"${'a'.repeat(256 * 1024)}"`)).status).toBe(413)
    expect((await send(service, list(1))).status).toBe(200)
    expect(service.node.calls.get('eth_call')).toBeUndefined()
  })

  test('behavior: GET and DELETE open no session', async () => {
    const { url } = await startService()
    const statuses = ['GET', 'DELETE'].map(async (method) => {
      const { status } = await fetch(`${url}/mcp`, { method })
      return status
    })
    expect(await Promise.all(statuses)).toEqual([405, 405])
  })
})
